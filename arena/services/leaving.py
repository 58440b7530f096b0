"""Bots that leave a tournament: taken out, parked or banned; by one rule, which `arena.tournament.standings` declares.

What they have played stays, what nobody plays yet is void.  A match of theirs that is being played goes on and counts;
when its attempt fails, it is not tried again.
"""

from collections.abc import Callable
from datetime import datetime

import structlog
from sqlalchemy import Connection

from arena.services.board_copies import push_boards
from arena.services.ratings import advance_rating_cursor
from arena.store import schedule, tournaments
from arena.store.session import Store, utc_now
from arena.store.tournaments import PAUSED, RUNNING, Entrant

WITHDRAWN = "A bot was withdrawn."

log = structlog.get_logger()


def leave(tx: Connection, tournament_id: int, entrant: Entrant, now: datetime) -> str | None:
    """Take an entrant out of a tournament under way; hold its lock. Returns the ruleset whose board has changed."""
    tournaments.withdraw(tx, tournament_id, entrant.number, now)
    schedule.void_matches_of(tx, tournament_id, entrant.version_id, WITHDRAWN, now)
    return advance_rating_cursor(tx, tournament_id, now)


def settle_returned(tx: Connection, match_id: int, tournament_id: int | None, now: datetime) -> str | None:
    """A match that nobody plays any more is due again: void it if one of its bots has left meanwhile.

    Hold the tournament's lock. Returns the ruleset whose board has changed.
    """
    if tournament_id is None or not schedule.void_if_left(tx, match_id, WITHDRAWN, now):
        return None
    return advance_rating_cursor(tx, tournament_id, now)


def take_out_the_shut_out(store: Store, now: Callable[[], datetime] = utc_now) -> int:
    """Let parked versions and banned bots leave every tournament that is under way; how many left."""
    with store.read() as tx:
        found = schedule.shut_out(tx)
    return sum(_take_out(store, tournament_id, number, now()) for tournament_id, number in found)


def _take_out(store: Store, tournament_id: int, number: int, now: datetime) -> bool:
    with store.write() as tx:
        tournament = tournaments.lock(tx, tournament_id)
        if tournament is None or tournament.state not in (RUNNING, PAUSED):
            return False
        entrant = tournaments.entrants_of(tx, tournament_id)[number]
        if entrant.withdrawn_at is not None:
            return False
        changed = leave(tx, tournament_id, entrant, now)
    log.info("entrant_shut_out", tournament_id=tournament_id, bot=entrant.bot, version=entrant.version)
    push_boards(store, () if changed is None else (changed,))
    return True
