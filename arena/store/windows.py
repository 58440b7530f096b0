"""What waits, what is being played, and who plays: what dispatch needs to know to fill the window of queued matches."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    and_,
    bindparam,
    func,
    insert,
    or_,
    select,
    text,
    update,
)

from arena.store import upserts
from arena.store.columns import UtcTime
from arena.store.schema import entrants, matches, results, tournaments, workers
from arena.store.states import UNDER_WAY

MEASURED = 20                   # of a tournament's newest results tell how long its next match will take
WORKER_GONE = timedelta(seconds=30)     # a worker that was not seen for so long has no slots
LOOKED_BACK = 500               # places of the schedule in which they are looked for
_FILLING = 0x6D616E63           # any number; names the lock under which the window is filled

_ENGINE: BindParameter[str] = bindparam("engine")
_SINCE, _NOW = bindparam("since", type_=UtcTime), bindparam("now", type_=UtcTime)
_TOURNAMENT: BindParameter[int] = bindparam("tournament")
_SLOTS = select(func.coalesce(func.sum(workers.c.slots), 0)).where(
    workers.c.engine_version == _ENGINE, workers.c.seen_at >= _SINCE
)
_BUSY = select(func.count(matches.c.worker.distinct())).where(
    or_(
        matches.c.state == "leased",
        and_(matches.c.state.in_(("finished", "void")), matches.c.until.between(_SINCE, _NOW)),
    )
)
_DUE = select(matches.c.id).where(matches.c.state == "due", or_(matches.c.until.is_(None), matches.c.until <= _NOW))
_DUE_QUALIFICATIONS = _DUE.where(matches.c.purpose == "qualification").order_by(matches.c.id).limit(bindparam("most"))
_DUE_OF_TOURNAMENTS = (
    _DUE.add_columns(matches.c.tournament_id)
    .where(matches.c.purpose == "tournament")
    .order_by(matches.c.schedule_index)
)
_OUTSTANDING_QUALIFICATIONS = (
    select(func.count())
    .select_from(matches)
    .where(matches.c.purpose == "qualification", matches.c.state.in_(UNDER_WAY))
)
_OUTSTANDING = (
    select(matches.c.tournament_id, matches.c.state, func.count())
    .where(matches.c.state.in_(UNDER_WAY), matches.c.tournament_id.is_not(None))
    .group_by(matches.c.tournament_id, matches.c.state)
)
_RUNNING = (
    select(tournaments)
    .where(tournaments.c.state == "running", tournaments.c.engine_version == _ENGINE)
    .order_by(tournaments.c.id)
    .with_for_update(key_share=True)
)
_QUEUED = (
    select(matches.c.id, matches.c.tournament_id)
    .join_from(matches, tournaments)
    .where(matches.c.state == "queued", tournaments.c.state == "running", tournaments.c.engine_version == _ENGINE)
    .order_by(matches.c.id.desc())
    .limit(bindparam("most"))
)
_STILL_QUEUED = select(matches.c.id).where(
    matches.c.id.in_(bindparam("matches", expanding=True)), matches.c.state == "queued"
)
_ENTERED = select(func.count()).select_from(entrants).where(entrants.c.tournament_id == _TOURNAMENT)
_WITHDRAWN = select(entrants.c.number).where(
    entrants.c.tournament_id == _TOURNAMENT, entrants.c.withdrawn_at.is_not(None)
)

_NEWEST = (
    select(results.c.duration_ms)
    .join(matches, matches.c.id == results.c.match_id)
    .where(
        matches.c.tournament_id == _TOURNAMENT,
        matches.c.schedule_index >= bindparam("back_to"),
        matches.c.state == "finished",
    )
    .order_by(matches.c.schedule_index.desc())
    .limit(MEASURED)
    .subquery()
)
_MEAN_MS = select(func.avg(_NEWEST.c.duration_ms))


@dataclass(frozen=True, slots=True)
class Lane:
    """A running tournament as dispatch sees it; `due` are its matches that have rows and wait, in schedule order.

    `owner` is the id of the user who made it.
    """

    tournament_id: int
    ruleset: str
    cycles: int
    match_count: int
    next_index: int
    seed: str
    entrants: int
    withdrawn: frozenset[int]
    queued: int
    leased: int
    due: tuple[int, ...]
    owner: int = 0

    @property
    def waiting(self) -> int:
        """How many matches are neither queued nor further; those without a row yet count too."""
        return len(self.due) + self.match_count - self.next_index


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match that gets its row, between two entrants by number; with a `void_reason` it will not be played."""

    schedule_index: int
    first: int
    second: int
    seed: str
    void_reason: str | None


def keep_others_out(tx: Connection) -> bool:
    """Whether this transaction alone may fill the window; SQLite has one writer at a time anyway."""
    if tx.dialect.name == "sqlite":
        return True
    return bool(tx.scalar(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": _FILLING}))


def register_worker(tx: Connection, name: str, values: dict[str, object]) -> None:
    """Note who plays, and that it was seen just now."""
    upserts.put(tx, workers, [{"name": name, **values}])


def forget_workers(tx: Connection, *names: str, unseen_since: datetime | None = None) -> None:
    """Remove workers that stopped, by name or because they were not seen for so long."""
    gone: ColumnElement[bool] = workers.c.name.in_(names)
    if unseen_since is not None:
        gone = or_(gone, workers.c.seen_at < unseen_since)
    tx.execute(workers.delete().where(gone))


def slots(tx: Connection, engine_version: str, seen_since: datetime) -> int:
    """How many matches the workers of this engine can play at once."""
    return int(tx.scalar(_SLOTS, {"engine": engine_version, "since": seen_since}) or 0)


def is_seen(tx: Connection, name: str, since: datetime) -> bool:
    """Whether this worker was seen since then."""
    seen = select(workers.c.name).where(workers.c.name == name, workers.c.seen_at >= since)
    return tx.scalar(seen) is not None


def busy_slots(tx: Connection, since: datetime, now: datetime) -> int:
    """How many processes play, or have done so since then; an ended match keeps the moment it ended in `until`."""
    return int(tx.scalar(_BUSY, {"since": since, "now": now}) or 0)


def due_qualifications(tx: Connection, now: datetime, limit: int) -> list[int]:
    """Qualifications that wait, oldest first, without those that rest."""
    return list(tx.scalars(_DUE_QUALIFICATIONS, {"now": now, "most": limit}))


def count_outstanding_qualifications(tx: Connection) -> int:
    """How many qualifications are queued or being played."""
    return int(tx.scalar(_OUTSTANDING_QUALIFICATIONS) or 0)


def newest_queued(tx: Connection, engine_version: str, limit: int) -> list[int]:
    """Matches of one running tournament that wait in some message, those last that were made first."""
    rows = tx.execute(_QUEUED, {"engine": engine_version, "most": limit}).all()
    return [row.id for row in rows if row.tournament_id == rows[0].tournament_id]


def still_queued(tx: Connection, match_ids: Sequence[int]) -> frozenset[int]:
    """Those of these matches that nobody has claimed or taken back yet."""
    return frozenset(tx.scalars(_STILL_QUEUED, {"matches": list(match_ids)}))


def lanes(tx: Connection, engine_version: str, now: datetime) -> list[Lane]:
    """Running tournaments of this engine, by id; nobody else gives them rows until the transaction ends."""
    running = tx.execute(_RUNNING, {"engine": engine_version}).all()
    outstanding, due = _outstanding(tx), _due_by_tournament(tx, now)
    return [
        Lane(
            row.id,
            row.ruleset,
            row.cycles,
            row.match_count,
            row.next_index,
            row.seed,
            *_entrants(tx, row.id),
            *outstanding.get(row.id, (0, 0)),
            due=tuple(due.get(row.id, ())),
            owner=row.owner_id,
        )
        for row in running
    ]


def expected_ms(tx: Connection, lane: Lane) -> int | None:
    """How long a match of this tournament takes, by its newest results; None before there are any."""
    mean = tx.scalar(_MEAN_MS, {"tournament": lane.tournament_id, "back_to": lane.next_index - LOOKED_BACK})
    return None if mean is None else max(1, round(mean))


def create_matches(tx: Connection, lane: Lane, new: Sequence[NewMatch], now: datetime) -> list[int]:
    """Give these matches rows and move `next_index` behind them; the ids of those to be played, in schedule order."""
    if not new:
        return []
    tournament = tx.execute(select(tournaments).where(tournaments.c.id == lane.tournament_id)).one()
    pinned = _versions(tx, lane.tournament_id, new)
    shared = {
        "purpose": "tournament",
        "tournament_id": lane.tournament_id,
        "ruleset": tournament.ruleset,
        "match_format": tournament.match_format,
        "time_control": tournament.time_control,
        "opening_plies": tournament.opening_plies,
        "created_at": now,
    }
    rows = [
        {
            **shared,
            "schedule_index": match.schedule_index,
            "seed": match.seed,
            "first_version_id": pinned[match.first],
            "second_version_id": pinned[match.second],
            "state": "due" if match.void_reason is None else "void",
            "void_reason": match.void_reason,
            "ended_at": None if match.void_reason is None else now,
        }
        for match in new
    ]
    created = tx.execute(insert(matches).returning(matches.c.id, matches.c.state, sort_by_parameter_order=True), rows)
    moved = update(tournaments).where(tournaments.c.id == lane.tournament_id)
    due = [row.id for row in created if row.state == "due"]
    tx.execute(moved.values(next_index=lane.next_index + len(rows)))
    return due


def _due_by_tournament(tx: Connection, now: datetime) -> dict[int, list[int]]:
    """Only matches that came back are due for longer than a moment, so there are few, also in a large tournament."""
    due = defaultdict(list)
    for match_id, tournament_id in tx.execute(_DUE_OF_TOURNAMENTS, {"now": now}):
        due[tournament_id].append(match_id)
    return due


def _outstanding(tx: Connection) -> dict[int, tuple[int, int]]:
    """(queued, leased) by tournament."""
    counts: dict[tuple[int, str], int] = {(row[0], row[1]): row[2] for row in tx.execute(_OUTSTANDING)}
    return {number: (counts.get((number, "queued"), 0), counts.get((number, "leased"), 0)) for number, _ in counts}


def _entrants(tx: Connection, tournament_id: int) -> tuple[int, frozenset[int]]:
    """How many entrants, and the numbers of those that have left."""
    of_tournament = {"tournament": tournament_id}
    return int(tx.scalar(_ENTERED, of_tournament) or 0), frozenset(tx.scalars(_WITHDRAWN, of_tournament))


def _versions(tx: Connection, tournament_id: int, new: Sequence[NewMatch]) -> dict[int, int]:
    """The pinned version of every entrant that these matches need."""
    needed = {number for match in new for number in (match.first, match.second)}
    query = select(entrants.c.number, entrants.c.version_id)
    rows = tx.execute(query.where(entrants.c.tournament_id == tournament_id, entrants.c.number.in_(needed)))
    return {row.number: row.version_id for row in rows}
