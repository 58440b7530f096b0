"""What happened in a tournament, for those who watch it: one row per event, numbered 1, 2, 3 … without a gap.

A number is given under the tournament's lock, which is kept until the commit.  So events become visible in the order
of their numbers, and who has seen number n has missed none below it; ids of rows could not promise that.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, func, insert, select

from arena.store import matches, ratings
from arena.store.matches import Match
from arena.store.ratings import RatingChange
from arena.store.schema import events

RESULT, RATING = "result", "rating"

_NEWEST = select(func.max(events.c.number)).where(events.c.tournament_id == bindparam("tournament"))


@dataclass(frozen=True, slots=True)
class Event:
    """A match has its result (`result`), or changed ratings (`rating`): then `changes` are its rows of the ledger."""

    number: int
    kind: str
    match: Match
    changes: tuple[RatingChange, ...]


def append(tx: Connection, tournament_id: int, kind: str, match_ids: Iterable[int]) -> None:
    """Note an event for each of these matches; hold the tournament's lock."""
    rows = [
        {"tournament_id": tournament_id, "number": number, "kind": kind, "match_id": match_id}
        for number, match_id in enumerate(match_ids, last_number(tx, tournament_id) + 1)
    ]
    if rows:
        tx.execute(insert(events), rows)


def last_number(tx: Connection, tournament_id: int) -> int:
    """The number of the newest event; 0 before the first."""
    return tx.scalar(_NEWEST, {"tournament": tournament_id}) or 0


def after(tx: Connection, tournament_id: int, number: int, limit: int) -> tuple[Event, ...]:
    """The events behind this number, in order, at most `limit`."""
    query = select(events.c.number, events.c.kind, events.c.match_id).where(
        events.c.tournament_id == tournament_id, events.c.number > number
    )
    rows = tx.execute(query.order_by(events.c.number).limit(limit)).all()
    found = {match.id: match for match in matches.with_ids(tx, {row.match_id for row in rows})}
    changes = _changes_by_match(tx, {row.match_id for row in rows if row.kind == RATING})
    return tuple(
        Event(row.number, row.kind, found[row.match_id], changes.get(row.match_id, ()) if row.kind == RATING else ())
        for row in rows
    )


def latest_results(tx: Connection, tournament_id: int, limit: int) -> list[int]:
    """The matches whose results came in last, the newest first."""
    results = select(events.c.match_id).where(events.c.tournament_id == tournament_id, events.c.kind == RESULT)
    return list(tx.scalars(results.order_by(events.c.number.desc()).limit(limit)))


def _changes_by_match(tx: Connection, match_ids: Iterable[int]) -> dict[int, tuple[RatingChange, ...]]:
    by_match: dict[int, tuple[RatingChange, ...]] = {}
    for change in ratings.changes_by(tx, list(match_ids)):
        by_match[change.match_id] = (*by_match.get(change.match_id, ()), change)
    return by_match
