"""Tournaments and their entrants, as rows."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, case, delete, distinct, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from arena.errors import NameTaken
from arena.ratings.eligibility import SYSTEM_OWNER, why_unrated
from arena.store.schema import bots, entrants, matches, tournaments, users, versions
from arena.store.states import UNPLAYED

CREATED, RUNNING, PAUSED, FINISHED, CANCELLED = "created", "running", "paused", "finished", "cancelled"
STATES = (CREATED, RUNNING, PAUSED, FINISHED, CANCELLED)
ENDED = (FINISHED, CANCELLED)


@dataclass(frozen=True, slots=True)
class Tournament:
    """`seed` is None until the end; `seed_hash` is the SHA-256 of its text.

    `match_count` is of the whole schedule, `finished` and `void` are so many of it; once cancelled, all that was
    not finished is void. `sides` are the owners among its entrants that may be rated against each other.
    """

    id: int
    name: str
    owner: str
    ruleset: str
    match_format: str
    time_control: str
    cycles: int
    opening_plies: int
    seed: str | None
    seed_hash: str
    is_rated: bool
    state: str
    match_count: int
    finished: int
    void: int
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    engine_version: str = ""
    entrants: int = 0
    sides: int = 0

    @property
    def rating_note(self) -> str | None:
        """Why none of its matches is rated, or which are not; None when all are."""
        return why_unrated(is_rated=self.is_rated, cycles=self.cycles, entrants=self.entrants, sides=self.sides)

    @property
    def has_rated_matches(self) -> bool:
        """Whether a result of it can change a rating."""
        return self.is_rated and self.sides > 1


@dataclass(frozen=True, slots=True)
class Entrant:
    """`number` is its place in the schedule, from 0."""

    number: int
    bot: str
    version: int
    version_id: int
    withdrawn_at: datetime | None
    bot_id: int = 0
    owner: str = ""


@dataclass(frozen=True, slots=True)
class NewTournament:
    """What `add` writes; the seed is still secret."""

    name: str
    owner_id: int
    ruleset: str
    match_format: str
    time_control: str
    cycles: int
    opening_plies: int
    seed: str
    is_rated: bool
    engine_version: str
    match_count: int


def _count(*states: str) -> Any:
    query = select(func.count()).where(matches.c.tournament_id == tournaments.c.id, matches.c.state.in_(states))
    return query.correlate(tournaments).scalar_subquery()


def _entered(counted: Any) -> Any:
    """Of those who play: who left before the start is not counted, and who left later has played."""
    plays = or_(entrants.c.withdrawn_at.is_(None), tournaments.c.state != CREATED)
    query = select(counted).select_from(entrants).where(entrants.c.tournament_id == tournaments.c.id, plays)
    return query.correlate(tournaments)


_SYSTEM = select(users.c.id).where(users.c.name == SYSTEM_OWNER).scalar_subquery()
_SIDE = case((bots.c.owner_id == _SYSTEM, -bots.c.id), else_=bots.c.owner_id)
_TOURNAMENT = (
    tournaments,
    users.c.name.label("owner"),
    _count(*UNPLAYED).label("unplayed"),
    _count("void").label("void_rows"),
    _entered(func.count()).scalar_subquery().label("entrants"),
    _entered(func.count(distinct(_SIDE))).join(bots, bots.c.id == entrants.c.bot_id).scalar_subquery().label("sides"),
)


def add(tx: Connection, new: NewTournament, now: datetime) -> int:
    """A tournament in state `created`; raises `NameTaken`, also when another process was quicker by a moment."""
    values = {name: getattr(new, name) for name in NewTournament.__slots__}
    values |= {"state": CREATED, "next_index": 0, "rating_cursor": 0, "created_at": now}
    try:
        added: int = tx.execute(insert(tournaments).values(values).returning(tournaments.c.id)).scalar_one()
    except IntegrityError as error:
        raise NameTaken(f"A tournament is already called {new.name!r}; choose another name.", field="name") from error
    return added


def find(tx: Connection, tournament_id: int) -> Tournament | None:
    """One tournament with its progress."""
    row = tx.execute(_tournaments().where(tournaments.c.id == tournament_id)).one_or_none()
    return None if row is None else _tournament(row)


def lock(tx: Connection, tournament_id: int) -> Tournament | None:
    """The same, and nobody else changes its state until the transaction ends."""
    locked = select(tournaments.c.id).where(tournaments.c.id == tournament_id)
    tx.execute(locked.with_for_update(key_share=True))
    return find(tx, tournament_id)


def list_newest(  # noqa: PLR0913  # each narrows the list
    tx: Connection,
    state: str | None,
    below: int | None,
    limit: int,
    *,
    owner: str | None = None,
    name: str | None = None,
) -> list[Tournament]:
    """Newest first, those with ids `below` this one; of everybody, or of one owner; or the one of this name."""
    query = _tournaments().order_by(tournaments.c.id.desc()).limit(limit)
    if state is not None:
        query = query.where(tournaments.c.state == state)
    if owner is not None:
        query = query.where(users.c.name == owner)
    if name is not None:
        query = query.where(tournaments.c.name == name)
    if below is not None:
        query = query.where(tournaments.c.id < below)
    return [_tournament(row) for row in tx.execute(query)]


def is_taken(tx: Connection, name: str) -> bool:
    """Whether a tournament has this name."""
    return tx.scalar(select(tournaments.c.id).where(tournaments.c.name == name)) is not None


def all_ids(tx: Connection) -> list[int]:
    """Every tournament, the oldest first."""
    return list(tx.scalars(select(tournaments.c.id).order_by(tournaments.c.id)))


def count_running(tx: Connection, owner: str) -> int:
    """How many tournaments of this owner are running."""
    query = select(func.count()).select_from(tournaments).join(users, users.c.id == tournaments.c.owner_id)
    counted: int = tx.execute(query.where(users.c.name == owner, tournaments.c.state == RUNNING)).scalar_one()
    return counted


def running_under_others(tx: Connection, engine_version: str) -> list[tuple[int, str]]:
    """Running tournaments that began under another engine, and which."""
    foreign = and_(tournaments.c.state == RUNNING, tournaments.c.engine_version != engine_version)
    query = select(tournaments.c.id, tournaments.c.engine_version).where(foreign).order_by(tournaments.c.id)
    return [(row.id, row.engine_version) for row in tx.execute(query)]


def count_created(tx: Connection, owner_id: int) -> int:
    """How many tournaments of this user wait for their start."""
    waiting = and_(tournaments.c.owner_id == owner_id, tournaments.c.state == CREATED)
    return int(tx.scalar(select(func.count()).select_from(tournaments).where(waiting)) or 0)


def count_unplayed(tx: Connection, owner_id: int) -> int:
    """How many matches are still to be played in this user's tournaments, those without a row included."""
    is_open = and_(tournaments.c.owner_id == owner_id, tournaments.c.state.not_in(ENDED))
    without_rows = select(func.coalesce(func.sum(tournaments.c.match_count - tournaments.c.next_index), 0))
    with_rows = select(func.count()).join(tournaments, tournaments.c.id == matches.c.tournament_id)
    waiting = int(tx.scalar(with_rows.where(is_open, matches.c.state.in_(UNPLAYED))) or 0)
    return waiting + int(tx.scalar(without_rows.where(is_open)) or 0)


def change(tx: Connection, tournament_id: int, values: Mapping[str, object]) -> None:
    """Set columns of a tournament; hold its lock."""
    tx.execute(update(tournaments).where(tournaments.c.id == tournament_id).values(**values))


def rewind_cursor(tx: Connection, tournament_id: int, to: int) -> None:
    """Look again at matches from this place on, if the cursor is past it; hold the tournament's lock."""
    past = and_(tournaments.c.id == tournament_id, tournaments.c.rating_cursor > to)
    tx.execute(update(tournaments).where(past).values(rating_cursor=to))


def set_entrants(tx: Connection, tournament_id: int, pinned: Sequence[tuple[int, int]]) -> None:
    """Who plays, in the order of the schedule: ids of bot and version; replaces who was entered before."""
    tx.execute(delete(entrants).where(entrants.c.tournament_id == tournament_id))
    rows = [
        {"tournament_id": tournament_id, "number": number, "bot_id": bot_id, "version_id": version_id}
        for number, (bot_id, version_id) in enumerate(pinned)
    ]
    tx.execute(insert(entrants), rows)


def entrants_of(tx: Connection, tournament_id: int) -> tuple[Entrant, ...]:
    """All entrants by number, the withdrawn ones too."""
    query = (
        select(
            entrants.c.number,
            bots.c.name,
            versions.c.number,
            versions.c.id,
            entrants.c.withdrawn_at,
            bots.c.id,
            users.c.name,
        )
        .join(bots, bots.c.id == entrants.c.bot_id)
        .join(versions, versions.c.id == entrants.c.version_id)
        .join(users, users.c.id == bots.c.owner_id)
        .where(entrants.c.tournament_id == tournament_id)
        .order_by(entrants.c.number)
    )
    return tuple(Entrant(*row) for row in tx.execute(query))


def withdraw(tx: Connection, tournament_id: int, number: int, now: datetime) -> None:
    """Mark an entrant as withdrawn."""
    place = and_(entrants.c.tournament_id == tournament_id, entrants.c.number == number)
    tx.execute(update(entrants).where(place).values(withdrawn_at=now))


def _tournaments() -> Select[*tuple[Any, ...]]:
    return select(*_TOURNAMENT).join(users, users.c.id == tournaments.c.owner_id)


def _tournament(row: Row[*tuple[Any, ...]]) -> Tournament:
    finished = row.next_index - row.unplayed - row.void_rows
    return Tournament(
        id=row.id,
        name=row.name,
        owner=row.owner,
        ruleset=row.ruleset,
        match_format=row.match_format,
        time_control=row.time_control,
        cycles=row.cycles,
        opening_plies=row.opening_plies,
        seed=row.seed if row.state in ENDED else None,
        seed_hash=hashlib.sha256(row.seed.encode()).hexdigest(),
        is_rated=row.is_rated,
        state=row.state,
        match_count=row.match_count,
        finished=finished,
        void=row.match_count - finished if row.state == CANCELLED else row.void_rows,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        engine_version=row.engine_version,
        entrants=row.entrants,
        sides=row.sides,
    )
