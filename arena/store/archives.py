"""What goes into an archive, read from the rows as it is written: in portions, in one snapshot, never all at once."""

import json
import zlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select

from arena.archive.entries import Entrant, Match, Result, Tournament, Version
from arena.store import tournaments as rows
from arena.store.schema import bots, matches, rating_changes, results, tournaments, users, versions

RECORDS_AT_ONCE = 20
FINAL = ("finished", "void")


def find_tournament(tx: Connection, text: str) -> int | None:
    """The tournament of this name, or of this number."""
    is_number = text.isascii() and text.isdigit() and len(text) <= 18
    wanted = tournaments.c.id == int(text) if is_number else tournaments.c.name == text
    found: int | None = tx.scalar(select(tournaments.c.id).where(wanted))
    return found


def begun(tx: Connection, ruleset: str) -> list[int]:
    """Every tournament of a ruleset of which a match has a row, oldest first."""
    of_ruleset = select(tournaments.c.id).where(tournaments.c.ruleset == ruleset, tournaments.c.next_index > 0)
    return list(tx.scalars(of_ruleset.order_by(tournaments.c.id)))


def reached(tx: Connection, tournament_id: int) -> int:
    """How many places of its schedule have rows."""
    return int(tx.scalar(select(tournaments.c.next_index).where(tournaments.c.id == tournament_id)) or 0)


def terms_of(tx: Connection, found: rows.Tournament, entrants: Sequence[rows.Entrant]) -> Tournament:
    """A tournament as it is archived."""
    return Tournament(
        id=found.id,
        name=found.name,
        owner=found.owner,
        match_format=found.match_format,
        time_control=found.time_control,
        cycles=found.cycles,
        opening_plies=found.opening_plies,
        is_rated=found.is_rated,
        engine_version=found.engine_version,
        state=found.state,
        seed=found.seed,
        seed_hash=found.seed_hash,
        match_count=found.match_count,
        reached=reached(tx, found.id),
        created_at=found.created_at.isoformat(),
        started_at=_time(found.started_at),
        ended_at=_time(found.ended_at),
        entrants=tuple(Entrant(each.bot, each.version, _time(each.withdrawn_at)) for each in entrants),
    )


def version(tx: Connection, bot_id: int, number: int) -> Version:
    """A version of a bot, and whose it is."""
    query = (
        select(bots.c.name, versions.c.number, users.c.name, versions.c.content_hash)
        .join(bots, bots.c.id == versions.c.bot_id)
        .join(users, users.c.id == bots.c.owner_id)
        .where(versions.c.bot_id == bot_id, versions.c.number == number)
    )
    return Version(*tx.execute(query).one())


def count_final(tx: Connection, tournament_ids: Sequence[int]) -> int:
    """How many matches of these tournaments are finished or void."""
    final = (matches.c.tournament_id.in_(tournament_ids), matches.c.state.in_(FINAL))
    return int(tx.scalar(select(func.count()).select_from(matches).where(*final)) or 0)


def count_changes(tx: Connection, tournament_ids: Sequence[int]) -> int:
    """How many rows of the ledger are of matches of these tournaments."""
    of_them = select(matches.c.id).where(matches.c.tournament_id.in_(tournament_ids))
    counted = select(func.count()).select_from(rating_changes).where(rating_changes.c.match_id.in_(of_them))
    return int(tx.scalar(counted) or 0)


def matches_of(tx: Connection, tournament_id: int) -> Iterator[Match]:
    """The final matches of a tournament in the order of its schedule, each with its record."""
    query = (
        select(*_MATCH)
        .outerjoin(results, results.c.match_id == matches.c.id)
        .where(matches.c.tournament_id == tournament_id, matches.c.state.in_(FINAL))
        .order_by(matches.c.schedule_index)
    )
    for row in tx.execute(query, execution_options={"yield_per": RECORDS_AT_ONCE}):
        yield _match(row)


_MATCH = (
    *(matches.c[name] for name in ("tournament_id", "schedule_index", "id", "state", "ended_at", "void_reason")),
    *(results.c[name] for name in ("attempt", "winner", "first_score", "second_score")),
    *(results.c[name] for name in ("first_points", "second_points", "games", "record")),
)


def _match(row: Row[*tuple[Any, ...]]) -> Match:
    is_void = row.state == "void"
    return Match(
        tournament=row.tournament_id,
        index=row.schedule_index,
        id=row.id,
        attempt=row.attempt or 0,
        ended_at=_time(row.ended_at),
        void_reason=(row.void_reason or "") if is_void else None,
        result=None if is_void else _result(row),
        record=None if is_void else json.loads(zlib.decompress(row.record)),
    )


def _result(row: Row[*tuple[Any, ...]]) -> Result:
    score, points = (row.first_score, row.second_score), (row.first_points, row.second_points)
    return Result(row.winner, score, points, row.games)


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
