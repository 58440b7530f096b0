"""What bots have done lately, out of the ledger: bounded portions of it, found by index however long it is."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    bindparam,
    literal,
    literal_column,
    select,
    union_all,
)

from arena.store.boards import name_begins_with, name_by_bytes
from arena.store.columns import UtcTime
from arena.store.schema import bots, matches, rating_changes, ratings, versions

MATCH = "match"


@dataclass(frozen=True, slots=True)
class Step:
    """One rated match as its bot sees it: the rating after it, and half-points of the match."""

    after: float
    score: int


@dataclass(frozen=True, slots=True)
class Point:
    """One rated match in a bot's history; `is_first`: it had the first seat."""

    change_id: int
    match_id: int
    version: int
    before: float
    after: float
    score: int
    opponent: str
    opponent_version: int
    is_first: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Rated:
    """Where a bot stands in one ruleset, with its newest version that is rated there."""

    ruleset: str
    version: int
    rating: float
    matches: int
    wins: int
    draws: int
    losses: int


def latest_steps(tx: Connection, ruleset: str, names: Sequence[str], limit: int) -> dict[str, list[Step]]:
    """The last rated matches of each of these bots, the newest first."""
    found: dict[str, list[Step]] = defaultdict(list)
    if names:
        for row in tx.execute(_latest_of(len(names)), {"ruleset": ruleset, "most": limit, **_numbered(names)}):
            found[names[row.place]].append(Step(row.after, row.score))
    return found


def ratings_at(tx: Connection, ruleset: str, names: Sequence[str], moment: datetime) -> dict[str, float]:
    """The ratings these bots had at a moment; those that had none are missing."""
    if not names:
        return {}
    rows = tx.execute(_last_before_of(len(names)), {"ruleset": ruleset, "moment": moment, **_numbered(names)})
    return {names[row.place]: row.after for row in rows}


def history(tx: Connection, bot_id: int, ruleset: str, limit: int) -> list[Point]:
    """A bot's last rated matches, the newest first."""
    opponent, opponent_bot = versions.alias("opponent"), bots.alias("opponent_bot")
    query = (
        select(
            rating_changes.c.id,
            rating_changes.c.match_id,
            versions.c.number,
            rating_changes.c.before,
            rating_changes.c.after,
            rating_changes.c.score,
            opponent_bot.c.name,
            opponent.c.number,
            matches.c.first_version_id == rating_changes.c.version_id,
            rating_changes.c.created_at,
        )
        .join(versions, versions.c.id == rating_changes.c.version_id)
        .join(matches, matches.c.id == rating_changes.c.match_id)
        .join(opponent, opponent.c.id == rating_changes.c.opponent_version_id)
        .join(opponent_bot, opponent_bot.c.id == opponent.c.bot_id)
        .where(rating_changes.c.bot_id == bot_id, rating_changes.c.ruleset == ruleset, rating_changes.c.kind == MATCH)
        .order_by(rating_changes.c.id.desc())
        .limit(limit)
    )
    return [Point(*row) for row in tx.execute(query)]


def rated_of(tx: Connection, bot_id: int) -> list[Rated]:
    """Where a bot stands, by ruleset; of several versions the newest."""
    names = ("rating", "matches", "wins", "draws", "losses")
    query = (
        select(ratings.c.ruleset, versions.c.number, *(ratings.c[name] for name in names))
        .join(versions, versions.c.id == ratings.c.version_id)
        .where(versions.c.bot_id == bot_id)
        .order_by(ratings.c.ruleset, versions.c.number)
    )
    return list({row.ruleset: Rated(*row) for row in tx.execute(query)}.values())


def names_beginning(tx: Connection, text: str, limit: int) -> list[str]:
    """Bots that are not retired and whose names begin so, by name."""
    name = name_by_bytes(tx)
    found = select(bots.c.name).where(name_begins_with(tx, text), bots.c.retired_at.is_(None))
    return list(tx.scalars(found.order_by(name).limit(limit)))


@cache
def _latest_of(names: int) -> CompoundSelect[Any]:
    """One query for so many bots: built once, as building it would take longer than answering it."""
    newest_first = (rating_changes.c.id.desc(),)
    return _each(names, bindparam("most"), newest_first, rating_changes.c.score, rating_changes.c.kind == MATCH)


@cache
def _last_before_of(names: int) -> CompoundSelect[Any]:
    newest_first = (rating_changes.c.created_at.desc(), rating_changes.c.id.desc())
    is_before = rating_changes.c.created_at <= bindparam("moment", type_=UtcTime)
    return _each(names, literal(1), newest_first, literal(0).label("score"), is_before)


def _each(
    names: int, most: Any, order: Sequence[Any], score: ColumnElement[Any], which: ColumnElement[bool]
) -> CompoundSelect[Any]:
    """The first rows of the ledger of each bot in this order; `place` is where its name stands."""
    parts = []
    for place in range(names):
        bot_id = select(bots.c.id).where(bots.c.name == bindparam(f"name_{place}")).scalar_subquery()
        own = (rating_changes.c.bot_id == bot_id, rating_changes.c.ruleset == bindparam("ruleset"))
        rows = select(literal_column(str(place)).label("place"), rating_changes.c.after, score).where(*own, which)
        parts.append(select(rows.order_by(*order).limit(most).subquery()))
    return union_all(*parts)


def _numbered(names: Sequence[str]) -> dict[str, str]:
    return {f"name_{place}": name for place, name in enumerate(names)}
