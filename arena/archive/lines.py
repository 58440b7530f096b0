"""A line of an archive: one JSON object in canonical spelling, chained by hash to all lines before it.

    {"index":0,"kind":"match",…,"chain":"<64 hex digits>"}

The chain value of a line is the SHA-256 of the chain value before it and the line's object without `chain`; before
the first line it is 64 zeros.  So the last chain value is a fingerprint of the whole file.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from arena.errors import ArchiveRefused

NO_CHAIN = "0" * 64
LONGEST_LINE = 1 << 26          # bytes; the record of the longest match there can be is a tenth of it
_TAIL = re.compile(rb',"chain":"([0-9a-f]{64})"\}\n\Z')
_TAIL_LENGTH = len(',"chain":""}\n') + 64


class Readable(Protocol):
    """A file opened to read bytes."""

    def readline(self, limit: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was read: `number` counts from 1, `content` is its object as text, without the chain value."""

    number: int
    content: str
    fields: dict[str, Any]
    chain: str


def canonical(fields: object) -> str:
    """The one spelling of a JSON value: keys in order, no spaces, only ASCII.

    >>> canonical({"b": [1, 0.5], "a": "½"})
    '{"a":"\\\\u00bd","b":[1,0.5]}'
    """
    return json.dumps(fields, separators=(",", ":"), sort_keys=True, allow_nan=False)


def next_chain(chain: str, content: str) -> str:
    """The chain value of a line that follows one with that value."""
    return hashlib.sha256(f"{chain}{content}".encode()).hexdigest()


class LineWriter:
    """Writes lines, each chained to the one before; `chain` is the value of the last one."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self.chain = NO_CHAIN
        self.count = 0

    def add(self, fields: dict[str, Any]) -> None:
        content = canonical(fields)
        self.chain = next_chain(self.chain, content)
        self.count += 1
        self._write(f'{content[:-1]},"chain":"{self.chain}"}}\n'.encode())


def read_lines(file: Readable) -> Iterator[Line]:
    """The lines, one at a time.  Raises: ArchiveRefused at the first that was changed, cut or spelled otherwise."""
    number, chain = 0, NO_CHAIN
    while raw := file.readline(LONGEST_LINE):
        number += 1
        try:
            line = _read(raw, number, chain)
        except ArchiveRefused as refused:
            refused.line = number
            raise
        yield line
        chain = line.chain


def _read(raw: bytes, number: int, chain: str) -> Line:
    tail = _TAIL.search(raw, max(0, len(raw) - _TAIL_LENGTH))
    if tail is None or not raw.startswith(b'{"'):
        raise ArchiveRefused('it is no JSON object that ends in its chain value, "chain":"…"', check="form")
    try:
        content = raw[: tail.start()].decode("ascii") + "}"
    except UnicodeDecodeError as error:
        raise ArchiveRefused("it has bytes that are not ASCII; they were changed", check="chain") from error
    claimed, due = tail[1].decode(), next_chain(chain, content)
    if claimed != due:
        raise ArchiveRefused(
            f"its chain value is {due[:12]}… and not {claimed[:12]}…; this line was changed, or one before it is gone",
            check="chain",
        )
    return Line(number, content, _object(content), claimed)


def _object(content: str) -> dict[str, Any]:
    try:
        fields = json.loads(content)
        is_canonical = canonical(fields) == content
    except (ValueError, RecursionError) as error:
        raise ArchiveRefused(f"it is no JSON object: {error}", check="form") from error
    if not is_canonical or not isinstance(fields, dict):
        raise ArchiveRefused("it is not in canonical spelling: keys in order, each once, no spaces", check="form")
    return fields
