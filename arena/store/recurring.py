"""Schedules as rows: tournaments that begin by themselves, again and again."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, func, insert, select, update

from arena.store.schema import schedules, tournaments, users
from arena.store.tournaments import ENDED
from arena.tournament.rhythm import Rhythm


@dataclass(frozen=True, slots=True)
class Schedule:
    """`bots` are names, None for every open active bot; `last_tournament` is the one that began last.

    `problem` says why none began the last time. A standing one begins, too, when there is a new bot to play.
    """

    id: int
    name: str
    owner: str
    owner_id: int
    ruleset: str
    bots: tuple[str, ...] | None
    match_format: str
    time_control: str
    cycles: int
    opening_plies: int
    rhythm: Rhythm
    is_standing: bool
    next_at: datetime
    held: int
    last_tournament: int | None
    problem: str | None
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewSchedule:
    """What `add` writes."""

    name: str
    owner_id: int
    ruleset: str
    bots: Sequence[str] | None
    match_format: str
    time_control: str
    cycles: int
    opening_plies: int
    rhythm: Rhythm
    next_at: datetime
    is_standing: bool = False


def add(tx: Connection, new: NewSchedule, now: datetime) -> int:
    """A schedule; its id."""
    names = ("name", "owner_id", "ruleset", "match_format", "time_control", "cycles", "opening_plies", "next_at")
    values = {name: getattr(new, name) for name in names}
    values |= {name: getattr(new.rhythm, name) for name in Rhythm.__slots__}
    bots = None if new.bots is None else json.dumps(list(new.bots))
    values |= {"bots": bots, "is_standing": new.is_standing, "held": 0, "created_at": now}
    added: int = tx.execute(insert(schedules).values(values).returning(schedules.c.id)).scalar_one()
    return added


def find(tx: Connection, schedule_id: int) -> Schedule | None:
    """One schedule, ended or not."""
    row = tx.execute(_schedules().where(schedules.c.id == schedule_id)).one_or_none()
    return None if row is None else _schedule(row)


def lock(tx: Connection, schedule_id: int) -> Schedule | None:
    """The same, and nobody else changes it until the transaction ends; None also while somebody else does."""
    locked = select(schedules.c.id).where(schedules.c.id == schedule_id).with_for_update(skip_locked=True)
    return None if tx.scalar(locked) is None else find(tx, schedule_id)


def live(tx: Connection, *, with_standing: bool) -> list[Schedule]:
    """Those that have not ended and whose last tournament has."""
    running = select(tournaments.c.id).where(tournaments.c.state.not_in(ENDED))
    last = schedules.c.last_tournament_id
    query = _schedules().where(schedules.c.ended_at.is_(None), last.is_(None) | last.not_in(running))
    if not with_standing:
        query = query.where(~schedules.c.is_standing)
    return [_schedule(row) for row in tx.execute(query.order_by(schedules.c.id))]


def list_live(tx: Connection, owner: str | None, after: int | None, limit: int) -> list[Schedule]:
    """Those that have not ended, the oldest first."""
    query = _schedules().where(schedules.c.ended_at.is_(None)).order_by(schedules.c.id).limit(limit)
    if owner is not None:
        query = query.where(users.c.name == owner)
    if after is not None:
        query = query.where(schedules.c.id > after)
    return [_schedule(row) for row in tx.execute(query)]


def count_live(tx: Connection, owner_id: int) -> int:
    """How many schedules of a user have not ended."""
    own = and_(schedules.c.owner_id == owner_id, schedules.c.ended_at.is_(None))
    return int(tx.scalar(select(func.count()).select_from(schedules).where(own)) or 0)


def standing_rulesets(tx: Connection) -> frozenset[str]:
    """The rulesets that have a standing schedule, also where an admin has ended it."""
    return frozenset(tx.scalars(select(schedules.c.ruleset).where(schedules.c.is_standing)))


def note_begun(tx: Connection, schedule: Schedule, tournament_id: int, next_at: datetime) -> None:
    """A tournament has begun; hold the schedule's lock."""
    begun = {"held": schedule.held + 1, "last_tournament_id": tournament_id, "next_at": next_at, "problem": None}
    tx.execute(update(schedules).where(schedules.c.id == schedule.id).values(begun))


def note_problem(tx: Connection, schedule_id: int, problem: str, next_at: datetime) -> None:
    """None could begin, and this is why."""
    tx.execute(update(schedules).where(schedules.c.id == schedule_id).values(problem=problem, next_at=next_at))


def move(tx: Connection, schedule_id: int, next_at: datetime) -> None:
    """Let the next one begin at that time."""
    tx.execute(update(schedules).where(schedules.c.id == schedule_id).values(next_at=next_at))


def end(tx: Connection, now: datetime, *, schedule_id: int | None = None, owner_id: int | None = None) -> None:
    """No further tournament of this schedule begins, or of any of this user; the first end stays."""
    chosen = schedules.c.id == schedule_id if owner_id is None else schedules.c.owner_id == owner_id
    tx.execute(update(schedules).where(chosen, schedules.c.ended_at.is_(None)).values(ended_at=now))


def _schedules() -> Select[*tuple[Any, ...]]:
    return select(schedules, users.c.name.label("owner")).join(users, users.c.id == schedules.c.owner_id)


def _schedule(row: Row[*tuple[Any, ...]]) -> Schedule:
    names = Schedule.__slots__
    plain = {name: getattr(row, name) for name in names if name not in ("bots", "rhythm", "last_tournament")}
    return Schedule(
        **plain,
        bots=None if row.bots is None else tuple(json.loads(row.bots)),
        rhythm=Rhythm(row.every, row.at, row.zone),
        last_tournament=row.last_tournament_id,
    )
