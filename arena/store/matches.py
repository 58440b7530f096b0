"""Matches, their results and records, to be read; who may play one and how it ends is written in leases.py."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from sqlalchemy import BigInteger, Connection, Row, Select, insert, literal, or_, select

from arena.match.record_types import BotRef
from arena.store.schema import bots, matches, results, versions

PORTION = 5000
HOUSE = BotRef("random", 0, "")         # the opponent in a qualification


@dataclass(frozen=True, slots=True)
class Match:
    """`score` and `points` are None until it is finished: half-points of the match, exact points of the games.

    `ply` is how far the running game was when the lease was last renewed; `winner` is a seat, None for a tie.
    """

    id: int
    purpose: str
    tournament_id: int | None
    schedule_index: int | None
    ruleset: str
    match_format: str
    time_control: str
    first: BotRef
    second: BotRef
    state: str
    attempt: int
    ply: int | None
    winner: int | None
    score: tuple[int, int] | None
    points: tuple[Fraction, Fraction] | None
    games: int | None
    created_at: datetime
    ended_at: datetime | None
    void_reason: str | None


@dataclass(frozen=True, slots=True)
class FinishedPairing:
    """The result of one match of a tournament: half-points of the match, half-points of the games."""

    schedule_index: int
    score: tuple[int, int]
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match of a version: its seat, and the deflated JSON of the record."""

    match_id: int
    seat: int
    packed: bytes


@dataclass(frozen=True, slots=True)
class Qualification:
    """What a new version has to play against the house."""

    ruleset: str
    match_format: str
    time_control: str
    seed: str


_first, _second = versions.alias("first"), versions.alias("second")
_first_bot, _second_bot = bots.alias("first_bot"), bots.alias("second_bot")
_COLUMNS = (
    matches,
    _first_bot.c.name.label("first_name"),
    _first.c.number.label("first_number"),
    _first.c.content_hash.label("first_hash"),
    _second_bot.c.name.label("second_name"),
    _second.c.number.label("second_number"),
    _second.c.content_hash.label("second_hash"),
    results.c.winner,
    results.c.first_score,
    results.c.second_score,
    results.c.first_points,
    results.c.second_points,
    results.c.games,
)


def add_qualification(tx: Connection, version_id: int, terms: Qualification, now: datetime) -> None:
    """The match that decides whether a version becomes active."""
    values = {name: getattr(terms, name) for name in Qualification.__slots__}
    values |= {"purpose": "qualification", "state": "due", "opening_plies": 0, "first_version_id": version_id}
    tx.execute(insert(matches).values(**values, created_at=now))


def find(tx: Connection, match_id: int) -> Match | None:
    """One match."""
    row = tx.execute(_matches().where(matches.c.id == match_id)).one_or_none()
    return None if row is None else _match(row)


def with_ids(tx: Connection, match_ids: Collection[int]) -> list[Match]:
    """These matches, in no order."""
    return [_match(row) for row in tx.execute(_matches().where(matches.c.id.in_(match_ids)))]


def running_in(tx: Connection, tournament_id: int, limit: int) -> list[Match]:
    """What is being played in a tournament now, in the order of its schedule."""
    query = _matches().where(matches.c.tournament_id == tournament_id, matches.c.state == "leased")
    return [_match(row) for row in tx.execute(query.order_by(matches.c.schedule_index).limit(limit))]


def of_tournament(tx: Connection, tournament_id: int, after: int | None, limit: int) -> list[Match]:
    """Those that have rows, in the order of the schedule."""
    query = _matches().where(matches.c.tournament_id == tournament_id).order_by(matches.c.schedule_index).limit(limit)
    if after is not None:
        query = query.where(matches.c.schedule_index > literal(after, BigInteger))
    return [_match(row) for row in tx.execute(query)]


def qualification_of(tx: Connection, version_id: int) -> Match | None:
    """The match that decides, or has decided, whether a version may play."""
    decides = (matches.c.purpose == "qualification", matches.c.first_version_id == version_id)
    row = tx.execute(_matches().where(*decides).order_by(matches.c.id.desc()).limit(1)).one_or_none()
    return None if row is None else _match(row)


def of_bot(tx: Connection, bot_id: int, below: int | None, limit: int) -> list[Match]:
    """Every match of any of its versions, newest first."""
    own = select(versions.c.id).where(versions.c.bot_id == bot_id)
    plays = or_(matches.c.first_version_id.in_(own), matches.c.second_version_id.in_(own))
    query = _matches().where(plays).order_by(matches.c.id.desc()).limit(limit)
    if below is not None:
        query = query.where(matches.c.id < below)
    return [_match(row) for row in tx.execute(query)]


def finished_pairings(tx: Connection, tournament_id: int) -> Iterator[FinishedPairing]:
    """All results of a tournament, in the order of the schedule, read in portions: there may be a million."""
    query = (
        select(
            matches.c.schedule_index,
            results.c.first_score,
            results.c.second_score,
            results.c.first_points,
            results.c.second_points,
        )
        .join(results, results.c.match_id == matches.c.id)
        .where(matches.c.tournament_id == tournament_id)
        .order_by(matches.c.schedule_index)
        .execution_options(yield_per=PORTION)
    )
    for index, first, second, first_points, second_points in tx.execute(query):
        yield FinishedPairing(index, (first, second), (first_points, second_points))


def versions_of(tx: Connection, match_id: int) -> tuple[int, int]:
    """The versions in the two seats of a tournament's match."""
    query = select(matches.c.first_version_id, matches.c.second_version_id).where(matches.c.id == match_id)
    first, second = tx.execute(query).one()
    return first, second


def last_finished(tx: Connection, version_id: int, limit: int) -> list[Played]:
    """The newest matches of tournaments that a version has finished, the newest first."""
    found = []
    for seat, version in enumerate((matches.c.first_version_id, matches.c.second_version_id)):
        query = (
            select(matches.c.id, results.c.record)
            .join(results, results.c.match_id == matches.c.id)
            .where(version == version_id, matches.c.tournament_id.is_not(None))
            .order_by(matches.c.id.desc())
            .limit(limit)
        )
        found += [Played(row.id, seat, row.record) for row in tx.execute(query)]
    return sorted(found, key=lambda played: played.match_id, reverse=True)[:limit]


def record_of(tx: Connection, match_id: int) -> bytes | None:
    """The deflated JSON of a finished match's record."""
    record: bytes | None = tx.execute(
        select(results.c.record).where(results.c.match_id == match_id)
    ).scalar_one_or_none()
    return record


def reasons_of(tx: Connection, match_id: int) -> tuple[str | None, ...]:
    """Why each game of a finished match was forfeited, in words for the owner of the bot at fault alone."""
    text = tx.execute(select(results.c.reasons).where(results.c.match_id == match_id)).scalar_one_or_none()
    return tuple(json.loads(text)) if text else ()


def logs_of(tx: Connection, match_id: int) -> tuple[str, str] | None:
    """What the two bots of a finished match printed; each its owner's alone."""
    query = select(results.c.first_log, results.c.second_log).where(results.c.match_id == match_id)
    row = tx.execute(query).one_or_none()
    return None if row is None else (row.first_log, row.second_log)


def _matches() -> Select[*tuple[Any, ...]]:
    return (
        select(*_COLUMNS)
        .join(_first, _first.c.id == matches.c.first_version_id)
        .join(_first_bot, _first_bot.c.id == _first.c.bot_id)
        .outerjoin(_second, _second.c.id == matches.c.second_version_id)
        .outerjoin(_second_bot, _second_bot.c.id == _second.c.bot_id)
        .outerjoin(results, results.c.match_id == matches.c.id)
    )


def _match(row: Row[*tuple[Any, ...]]) -> Match:
    is_finished = row.first_score is not None
    is_against_house = row.second_name is None
    return Match(
        id=row.id,
        purpose=row.purpose,
        tournament_id=row.tournament_id,
        schedule_index=row.schedule_index,
        ruleset=row.ruleset,
        match_format=row.match_format,
        time_control=row.time_control,
        first=BotRef(row.first_name, row.first_number, row.first_hash),
        second=HOUSE if is_against_house else BotRef(row.second_name, row.second_number, row.second_hash),
        state=row.state,
        attempt=row.attempt,
        ply=row.ply,
        winner=row.winner,
        score=(row.first_score, row.second_score) if is_finished else None,
        points=(Fraction(row.first_points, 2), Fraction(row.second_points, 2)) if is_finished else None,
        games=row.games,
        created_at=row.created_at,
        ended_at=row.ended_at,
        void_reason=row.void_reason,
    )
