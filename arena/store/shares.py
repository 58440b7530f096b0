"""Who waits for a slot, and who had how much of them lately: what is needed to share them fairly between owners."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, bindparam, func, or_, select

from arena.store.columns import UtcTime
from arena.store.schema import attempts, matches, tournaments
from arena.store.states import UNDER_WAY

_OWNER = select(tournaments.c.owner_id).join_from(matches, tournaments).where(matches.c.id == bindparam("match"))
_QUALIFICATIONS = (
    select(matches.c.state, func.count())
    .where(matches.c.purpose == "qualification", matches.c.state.in_(UNDER_WAY))
    .group_by(matches.c.state)
)
_OWNERS = (
    select(tournaments.c.owner_id)
    .join_from(matches, tournaments)
    .where(
        matches.c.state == "queued",
        tournaments.c.state == "running",
        tournaments.c.engine_version == bindparam("engine"),
    )
    .distinct()
)
_SERVED = (
    select(tournaments.c.owner_id, matches.c.state, matches.c.worker, attempts.c.claimed_at, attempts.c.ended_at)
    .join_from(matches, tournaments)
    .join(attempts, and_(attempts.c.match_id == matches.c.id, attempts.c.number == matches.c.attempt))
    .where(
        or_(
            and_(matches.c.state.in_(("finished", "void")), matches.c.until >= bindparam("since", type_=UtcTime)),
            matches.c.state == "leased",
        )
    )
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """What lies in the queue, and who could be served next: the owners of queued matches, by their ids."""

    qualifications_queued: int
    qualifications_played: int
    owners: frozenset[int]


def owner_of(tx: Connection, match_id: int) -> int | None:
    """Whose tournament a match belongs to; None for a qualification."""
    return tx.scalar(_OWNER, {"match": match_id})


def waiting(tx: Connection, engine_version: str) -> Waiting:
    """Everything that a worker of this engine could claim."""
    counts: dict[str, int] = {row[0]: row[1] for row in tx.execute(_QUALIFICATIONS)}
    owners = frozenset(tx.scalars(_OWNERS, {"engine": engine_version}))
    return Waiting(counts.get("queued", 0), counts.get("leased", 0), owners)


def served(tx: Connection, since: datetime, now: datetime) -> dict[int, timedelta]:
    """How long the matches of each owner's tournaments have been played since then, those under way included.

    What a process has leased, it plays one after the other: the first of it began when the process turned to it.
    """
    total: dict[int, timedelta] = {}
    playing_since: dict[tuple[int, str], datetime] = {}
    for owner, state, worker, claimed_at, ended_at in tx.execute(_SERVED, {"since": since}):
        if state == "leased":
            playing_since[owner, worker] = min(claimed_at, playing_since.get((owner, worker), claimed_at))
        else:
            total[owner] = total.get(owner, timedelta()) + _span(claimed_at, ended_at or now, since)
    for (owner, _), claimed_at in playing_since.items():
        total[owner] = total.get(owner, timedelta()) + _span(claimed_at, now, since)
    return total


def _span(start: datetime, end: datetime, since: datetime) -> timedelta:
    return max(timedelta(), end - max(start, since))
