"""Long lists, page by page: a cursor holds the key of the last item, so rows that come or go shift nothing."""

import base64
import binascii
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from arena.errors import Invalid

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
LARGEST = 2**63 - 1             # that an id can be

T = TypeVar("T")
Key = str | int | float


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """`next` is the cursor of the following page, None on the last one."""

    items: tuple[T, ...]
    next: str | None


def check_limit(limit: int) -> int:
    """The limit itself, if it is allowed; raises `Invalid`."""
    if isinstance(limit, bool) or not 1 <= limit <= MAX_LIMIT:
        raise Invalid(f"limit is {limit}; ask for 1 to {MAX_LIMIT} items a page.", field="limit")
    return limit


def encode_cursor(of: str, *key: Key) -> str:
    """A cursor into the list called `of`, behind the item with this key."""
    return base64.urlsafe_b64encode(json.dumps([of, *key]).encode()).decode().rstrip("=")


def decode_cursor(cursor: str | None, of: str, *types: type[Key]) -> tuple[Key, ...] | None:
    """The key in a cursor, its parts of these types; None for the first page; raises `Invalid`."""
    if cursor is None:
        return None
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        value = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError) as error:
        raise _bad_cursor(cursor) from error
    if not isinstance(value, list) or value[:1] != [of] or [type(part) for part in value[1:]] != list(types):
        raise _bad_cursor(cursor)
    if not all(_is_storable(part) for part in value[1:]):
        raise _bad_cursor(cursor)
    return tuple(value[1:])


def _is_storable(part: Key) -> bool:
    """Whether a database can compare it with what it holds."""
    if isinstance(part, str):
        return not any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in part)
    return math.isfinite(part) if isinstance(part, float) else -LARGEST <= part <= LARGEST


def page_of(rows: Sequence[T], limit: int, of: str, key: Callable[[T], tuple[Key, ...]]) -> Page[T]:
    """A page from up to `limit + 1` rows: the one too many tells that there is more."""
    items = tuple(rows[:limit])
    return Page(items, encode_cursor(of, *key(items[-1])) if len(rows) > limit else None)


def _bad_cursor(cursor: str) -> Invalid:
    return Invalid(
        f"The cursor {cursor[:60]!r} is not one of this list; take `next` of the page before, or leave it out.",
        field="cursor",
    )
