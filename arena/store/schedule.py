"""What a tournament's maker may do to matches with rows: drop those of a bot that left, play void ones again."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, update

from arena.store.schema import bots, entrants, matches, tournaments, versions


def void_matches_of(tx: Connection, tournament_id: int, version_id: int, reason: str, now: datetime) -> None:
    """Void the matches of an entrant that nobody plays yet; hold the tournament's lock."""
    waiting = and_(
        matches.c.tournament_id == tournament_id,
        matches.c.state.in_(("due", "queued")),
        _plays([version_id]),
    )
    tx.execute(update(matches).where(waiting).values(state="void", until=None, void_reason=reason, ended_at=now))


def void_if_left(tx: Connection, match_id: int, reason: str, now: datetime) -> bool:
    """Void a due match when one of its entrants has left; hold the tournament's lock."""
    left = select(entrants.c.number).where(
        entrants.c.tournament_id == matches.c.tournament_id,
        entrants.c.version_id.in_((matches.c.first_version_id, matches.c.second_version_id)),
        entrants.c.withdrawn_at.is_not(None),
    )
    due = and_(matches.c.id == match_id, matches.c.state == "due", left.correlate(matches).exists())
    return tx.execute(update(matches).where(due).values(state="void", void_reason=reason, ended_at=now)).rowcount == 1


def shut_out(tx: Connection) -> list[tuple[int, int]]:
    """(tournament, entrant) of everybody who must leave what is under way: parked versions and banned bots."""
    query = (
        select(tournaments.c.id, entrants.c.number)
        .join_from(entrants, tournaments)
        .join(bots, bots.c.id == entrants.c.bot_id)
        .join(versions, versions.c.id == entrants.c.version_id)
        .where(tournaments.c.state.in_(("running", "paused")), entrants.c.withdrawn_at.is_(None))
        .order_by(tournaments.c.id, entrants.c.number)
    )
    parked = select(versions.c.bot_id).where(versions.c.state == "parked")
    banned = select(bots.c.id).where(bots.c.banned_at.is_not(None))
    found = query.where(
        entrants.c.bot_id.in_(parked.union(banned)), or_(versions.c.state == "parked", bots.c.banned_at.is_not(None))
    )
    return [(row.id, row.number) for row in tx.execute(found)]


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
