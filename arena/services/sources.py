"""A submitted program as text to be read, with nothing in it that a page or a terminal would obey.  Pure."""

import io
import zipfile
from dataclasses import dataclass

from arena.services.packages import ENTRY, is_zip, members

MOST_SIGNS = 200_000            # shown; the rest is in the file itself
KEPT = "\n\t"


@dataclass(frozen=True, slots=True)
class Source:
    """The lines of a program; `files` are path and size of all that came with it in a zip, else nothing.

    `is_cut`: only its beginning is shown.
    """

    lines: tuple[str, ...]
    is_cut: bool
    files: tuple[tuple[str, int], ...] = ()


def readable(package: bytes) -> Source:
    """What was accepted as a package, to be looked at."""
    if not is_zip(package):
        return _source(package)
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        found = members(archive)
        entry = next(member for member in found if member.path == ENTRY)
        files = tuple((visible(member.path), member.entry.file_size) for member in found)
        return _source(archive.read(entry.entry), files)


def visible(text: str) -> str:
    """The text with every sign that cannot be seen, such as those that turn its direction, written out.

    >>> visible("a\\u202eb\\x1b[0m")
    'a⟨U+202E⟩b⟨U+001B⟩[0m'
    """
    plain = text.replace("\r\n", "\n")
    if plain.isascii() and plain.isprintable():
        return plain
    return "".join(sign if sign.isprintable() or sign in KEPT else f"⟨U+{ord(sign):04X}⟩" for sign in plain)


def _source(content: bytes, files: tuple[tuple[str, int], ...] = ()) -> Source:
    text = content.decode("utf-8-sig", "replace")
    shown = visible(text[:MOST_SIGNS])
    return Source(tuple(shown.removesuffix("\n").split("\n")), len(text) > MOST_SIGNS, files)
