"""Leaderboards to read: from Redis, or from the database while Redis is empty or away, with the same ranks."""

from dataclasses import dataclass
from datetime import datetime

from arena import games
from arena.errors import BoardsUnavailable, Invalid, NotFound
from arena.services.names import blaming
from arena.store import boards
from arena.store.boards import BoardSummary
from arena.store.leaderboards import BoardEntry, BoardSlice, Key
from arena.store.paging import DEFAULT_LIMIT, check_limit, decode_cursor, encode_cursor
from arena.store.session import Store

REDIS, SQL = "redis", "sql"


@dataclass(frozen=True, slots=True)
class Board:
    """Part of a board. `source` says who answered, `as_of` when the board last changed; `size` counts all of it."""

    ruleset: str
    entries: tuple[BoardEntry, ...]
    next: str | None
    source: str
    as_of: datetime | None
    size: int


def list_boards(store: Store) -> tuple[BoardSummary, ...]:
    """Every ruleset that was ever rated, by name."""
    with store.read() as tx:
        return boards.summaries(tx)


def page(
    store: Store, ruleset: str, limit: int = DEFAULT_LIMIT, cursor: str | None = None, around: str | None = None
) -> Board:
    """A part of a board, best first; with `around`, that bot in the middle of `limit` entries."""
    with blaming("ruleset"):
        name = games.load(ruleset).ruleset
    check_limit(limit)
    if around is not None and cursor is not None:
        raise Invalid("Ask for the entries around a bot or for the next page, not for both.", field="cursor")
    found, source = _slice(store, name, limit, _key(cursor, name) if around is None else around)
    if around is not None and not found.entries:
        raise NotFound(
            f"{around[:60]!r} is not on the board of {name}; a bot gets there by its first rated match.", field="around"
        )
    last = found.entries[-1] if found.entries else None
    follow = encode_cursor("board", name, *last.key) if last is not None and last.rank < found.size else None
    return Board(name, found.entries, follow, source, found.as_of, found.size)


def _key(cursor: str | None, ruleset: str) -> Key | None:
    key = decode_cursor(cursor, "board", str, float, int, str)
    if key is None:
        return None
    board, rating, matches, bot = key
    if board != ruleset:
        raise Invalid(f"The cursor is of the board of {board}, not of {ruleset}; leave it out.", field="cursor")
    return float(rating), int(matches), str(bot)


def _slice(store: Store, ruleset: str, limit: int, where: Key | str | None) -> tuple[BoardSlice, str]:
    """Around the bot of this name, or behind this key."""
    kept = _from_redis(store, ruleset, limit, where)
    if kept is not None:
        return kept, REDIS
    with store.read() as tx:
        if isinstance(where, str):
            return boards.around(tx, ruleset, where, limit), SQL
        return boards.page(tx, ruleset, limit, where), SQL


def _from_redis(store: Store, ruleset: str, limit: int, where: Key | str | None) -> BoardSlice | None:
    try:
        if isinstance(where, str):
            return store.boards.around(ruleset, where, limit)
        return store.boards.page(ruleset, limit, where)
    except BoardsUnavailable:
        return None
