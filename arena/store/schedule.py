"""What a tournament's maker may do to matches with rows: drop those of a bot that left, play void ones again."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, update

from arena.store.schema import matches


def void_matches_of(tx: Connection, tournament_id: int, version_id: int, reason: str, now: datetime) -> None:
    """Void the matches of an entrant that nobody plays yet; hold the tournament's lock."""
    waiting = and_(
        matches.c.tournament_id == tournament_id,
        matches.c.state.in_(("due", "queued")),
        _plays([version_id]),
    )
    tx.execute(update(matches).where(waiting).values(state="void", until=None, void_reason=reason, ended_at=now))


def first_void(tx: Connection, tournament_id: int, without: Collection[int]) -> int | None:
    """The place in the schedule of the first void match in which none of these versions plays."""
    found: int | None = tx.scalar(select(func.min(matches.c.schedule_index)).where(_void(tournament_id, without)))
    return found


def make_void_due(tx: Connection, tournament_id: int, without: Collection[int]) -> None:
    """Let these matches be played again, with as many attempts as at first; hold the tournament's lock."""
    tx.execute(
        update(matches)
        .where(_void(tournament_id, without))
        .values(state="due", failures=0, until=None, worker=None, ply=None, void_reason=None, ended_at=None)
    )


def _void(tournament_id: int, without: Collection[int]) -> ColumnElement[bool]:
    return and_(matches.c.tournament_id == tournament_id, matches.c.state == "void", ~_plays(without))


def _plays(version_ids: Collection[int]) -> ColumnElement[bool]:
    return or_(matches.c.first_version_id.in_(version_ids), matches.c.second_version_id.in_(version_ids))
