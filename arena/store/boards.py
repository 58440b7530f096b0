"""Leaderboards as SQL has them: shown while Redis is empty or away. Redis gives the same ranks in the same order.

A board lists every bot of a ruleset that is not retired once, with its newest version that has a rating.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    collate,
    func,
    literal,
    or_,
    select,
    update,
)

from arena.ratings.elo import is_provisional
from arena.store.leaderboards import AT_ONCE, BoardChanges, BoardEntry, BoardSlice, Key
from arena.store.ratings import lock_ruleset, set_sequence
from arena.store.schema import bots, rating_changes, ratings, rulesets, users, versions

_SEQUENCE = select(rulesets.c.sequence).where(rulesets.c.ruleset == bindparam("ruleset"))
_IS_NEWER = ratings.c.sequence > bindparam("sequence")
_REMOVED = (
    select(bots.c.name, ratings.c.sequence)
    .join(bots, bots.c.id == ratings.c.bot_id)
    .where(ratings.c.ruleset == bindparam("ruleset"), _IS_NEWER, bots.c.retired_at.is_not(None))
    .order_by(ratings.c.sequence)
)


@dataclass(frozen=True, slots=True)
class BoardSummary:
    """One board of many; `size` counts the bots on it."""

    ruleset: str
    size: int


def summaries(tx: Connection) -> tuple[BoardSummary, ...]:
    """Every ruleset that was ever rated, by name."""
    listed = select(ratings.c.ruleset, func.count(ratings.c.bot_id.distinct()).label("size"))
    listed = listed.join(bots, bots.c.id == ratings.c.bot_id).where(bots.c.retired_at.is_(None))
    counted = listed.group_by(ratings.c.ruleset).subquery()
    query = select(rulesets.c.ruleset, func.coalesce(counted.c.size, 0))
    joined = query.outerjoin(counted, counted.c.ruleset == rulesets.c.ruleset).order_by(rulesets.c.ruleset)
    return tuple(BoardSummary(*row) for row in tx.execute(joined))


def rulesets_of_bots(tx: Connection, bot_ids: Collection[int]) -> tuple[str, ...]:
    """The boards these bots are on, or would be if they were not retired, by name."""
    query = select(ratings.c.ruleset).where(ratings.c.bot_id.in_(bot_ids)).distinct()
    return tuple(tx.scalars(query.order_by(ratings.c.ruleset)))


def page(tx: Connection, ruleset: str, limit: int, after: Key | None) -> BoardSlice:
    """Entries behind `after`, which need not be on the board any more."""
    start = 0 if after is None else _count_ahead(tx, ruleset, after)
    query = _listed(ruleset) if after is None else _listed(ruleset).where(_is_behind(tx, after))
    return _slice(tx, ruleset, tx.execute(query.order_by(*_order(tx)).limit(limit)).all(), start)


def around(tx: Connection, ruleset: str, bot: str, limit: int) -> BoardSlice:
    """`limit` entries with the bot in the middle; none if it is not on the board."""
    found = tx.execute(_listed(ruleset).where(bots.c.name == bot)).one_or_none()
    if found is None:
        return _slice(tx, ruleset, (), 0)
    key = (found.rating, found.matches, bot)
    ahead, behind = (_listed(ruleset).where(side(tx, key)) for side in (_is_ahead, _is_behind))
    rank = _count_ahead(tx, ruleset, key)
    start = max(0, min(rank - 1 - limit // 2, _size(tx, ruleset) - limit))
    above = tx.execute(ahead.order_by(*_order(tx, upwards=True)).limit(rank - start)).all()
    below = tx.execute(behind.order_by(*_order(tx)).limit(limit - len(above))).all()
    return _slice(tx, ruleset, [*reversed(above), *below], start)


def in_parts(tx: Connection, ruleset: str) -> Iterator[BoardChanges]:
    """All of a board in no order, some entries at a time, so that nobody waits for or keeps a million of them."""
    reached = tx.scalar(_SEQUENCE, {"ruleset": ruleset}) or 0
    yield BoardChanges(0, reached, ())          # for a board with nobody on it
    found = tx.execute(_listed(ruleset), execution_options={"yield_per": AT_ONCE})
    for rows in found.partitions():
        yield BoardChanges(0, reached, tuple(_entry(row, 0) for row in rows))


def changed_after(tx: Connection, ruleset: str, sequence: int) -> BoardChanges:
    """What is newer than this sequence, up to the last change of the ruleset; `tx` must see one snapshot."""
    reached = tx.scalar(_SEQUENCE, {"ruleset": ruleset}) or 0
    if reached <= sequence:
        return BoardChanges(sequence, reached, ())
    rows = tx.execute(_listed_after(), {"ruleset": ruleset, "sequence": sequence})
    entries = tuple(_entry(row, 0) for row in rows)
    return BoardChanges(sequence, reached, entries, _removed_after(tx, ruleset, sequence))


def take_off(tx: Connection, bot_ids: Collection[int]) -> tuple[str, ...]:
    """Number the removal of retired bots from each of their boards; the rulesets whose boards have changed."""
    affected = rulesets_of_bots(tx, bot_ids)
    for ruleset in affected:                    # in order of name, so that no two transactions wait for each other
        sequence = lock_ruleset(tx, ruleset) + 1
        set_sequence(tx, ruleset, sequence)
        of_bots = and_(ratings.c.ruleset == ruleset, ratings.c.bot_id.in_(bot_ids))
        tx.execute(update(ratings).where(of_bots).values(sequence=sequence))
    return affected


def _removed_after(tx: Connection, ruleset: str, sequence: int) -> tuple[tuple[str, int], ...]:
    """Retired bots that a newer change took off the board or rated, and the number of that change."""
    newest: dict[str, int] = {}
    for name, number in tx.execute(_REMOVED, {"ruleset": ruleset, "sequence": sequence}):   # once for each version
        newest[name] = number
    return tuple(newest.items())


def _listed(ruleset: str | BindParameter[str]) -> Select[*tuple[Any, ...]]:
    of = ratings.c
    standing = (of.rating, of.matches, of.wins, of.draws, of.losses, of.sequence, of.rated_at)
    columns = (bots.c.name.label("bot"), users.c.name.label("owner"), versions.c.number, *standing)
    return _on_board(ruleset, *columns).join(users, users.c.id == bots.c.owner_id)


@cache
def _listed_after() -> Select[*tuple[Any, ...]]:
    return _listed(bindparam("ruleset")).where(_IS_NEWER)


def _on_board(ruleset: str | BindParameter[str], *columns: Any) -> Select[*tuple[Any, ...]]:
    newer, newer_version = ratings.alias("newer"), versions.alias("newer_version")
    is_followed = (
        select(newer.c.bot_id)
        .join(newer_version, newer_version.c.id == newer.c.version_id)
        .where(newer.c.ruleset == ratings.c.ruleset, newer.c.bot_id == ratings.c.bot_id)
        .where(newer_version.c.number > versions.c.number)
        .exists()
    )
    return (
        select(*columns)
        .select_from(ratings)
        .join(versions, versions.c.id == ratings.c.version_id)
        .join(bots, bots.c.id == ratings.c.bot_id)
        .where(ratings.c.ruleset == ruleset, bots.c.retired_at.is_(None), ~is_followed)
    )


def _size(tx: Connection, ruleset: str) -> int:
    query = select(func.count(ratings.c.bot_id.distinct())).join(bots, bots.c.id == ratings.c.bot_id)
    counted: int = tx.execute(query.where(ratings.c.ruleset == ruleset, bots.c.retired_at.is_(None))).scalar_one()
    return counted


def name_by_bytes(tx: Connection) -> ColumnElement[str]:
    """The bot's name compared by bytes, as Redis does, whatever the language of the database."""
    return collate(bots.c.name, "C" if tx.dialect.name == "postgresql" else "BINARY")


def name_begins_with(tx: Connection, text: str) -> ColumnElement[bool]:
    """Whether the bot's name begins so; names are lower case."""
    name = name_by_bytes(tx)
    return and_(name >= text, name < text + "\uffff")


def _order(tx: Connection, *, upwards: bool = False) -> tuple[ColumnElement[Any], ...]:
    if upwards:
        return ratings.c.rating, ratings.c.matches, name_by_bytes(tx).desc()
    return ratings.c.rating.desc(), ratings.c.matches.desc(), name_by_bytes(tx)


def _is_behind(tx: Connection, key: Key) -> ColumnElement[bool]:
    return and_(ratings.c.rating <= key[0], _comes_later(tx, key))


def _is_ahead(tx: Connection, key: Key) -> ColumnElement[bool]:
    """Or has this very key."""
    return and_(ratings.c.rating >= key[0], ~_comes_later(tx, key))


def _comes_later(tx: Connection, key: Key) -> ColumnElement[bool]:
    rating, matches, bot = key[0], literal(key[1], BigInteger), key[2]
    return or_(
        ratings.c.rating < rating,
        and_(ratings.c.rating == rating, ratings.c.matches < matches),
        and_(ratings.c.rating == rating, ratings.c.matches == matches, name_by_bytes(tx) > bot),
    )


def _count_ahead(tx: Connection, ruleset: str, key: Key) -> int:
    """Those that have this key, too."""
    counted: int = tx.execute(_on_board(ruleset, func.count()).where(_is_ahead(tx, key))).scalar_one()
    return counted


def _slice(tx: Connection, ruleset: str, rows: Sequence[Row[*tuple[Any, ...]]], start: int) -> BoardSlice:
    sequence = tx.scalar(_SEQUENCE, {"ruleset": ruleset})
    newest = select(rating_changes.c.created_at).where(rating_changes.c.ruleset == ruleset)
    as_of: datetime | None = tx.scalar(newest.order_by(rating_changes.c.id.desc()).limit(1))
    entries = tuple(_entry(row, rank) for rank, row in enumerate(rows, start + 1))
    return BoardSlice(entries, _size(tx, ruleset), sequence or 0, as_of)


def _entry(row: Row[*tuple[Any, ...]], rank: int) -> BoardEntry:
    """By position: there may be a million of them, and looking a column up by its name takes most of the time."""
    bot, owner, version, rating, matches, wins, draws, losses, sequence, rated_at = row
    provisional = is_provisional(matches)
    return BoardEntry(
        rank, bot, owner, version, rating, matches, wins, draws, losses, provisional, sequence, rated_at
    )
