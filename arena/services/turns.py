"""Whose turn it is: a worker that comes for a match of its message asks here whether another one goes first.

New bots go first: their qualifications may take half of all slots.  Between the owners of tournaments, those go first
whose matches had the least playing time lately, so that a small event need not wait until a large one is over.
Messages lie in the queue in the order in which they were sent; whoever gives way puts the matches back.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Connection

from arena.match.record_types import ENGINE_VERSION
from arena.services.window import SHARED_MS
from arena.store import shares, windows
from arena.store.session import Store, utc_now

LATELY = timedelta(seconds=20)
ASKED_EVERY = timedelta(milliseconds=SHARED_MS)     # nobody notices who waits for less than a message of short matches


class Turn:
    """A worker's turn with one message: asked for at its first match, and again before a match when time has passed."""

    def __init__(self, store: Store, now: Callable[[], datetime] = utc_now) -> None:
        self._store = store
        self._now = now
        self._asked_at: datetime | None = None

    def is_over(self, match_id: int) -> bool:
        """Whether the match that is about to be claimed, and all behind it, has to wait for another one."""
        moment = self._now()
        if self._asked_at is not None and timedelta() <= moment - self._asked_at < ASKED_EVERY:
            return False                # also a clock that was put back has the question asked
        self._asked_at = moment
        return gives_way(self._store, match_id, self._now)


def gives_way(store: Store, match_id: int, now: Callable[[], datetime] = utc_now) -> bool:
    """Whether a match that is about to be claimed has to wait for another one in the queue."""
    moment = now()
    with store.read() as tx:
        owner = shares.owner_of(tx, match_id)
        if owner is None:
            return False
        waiting = shares.waiting(tx, ENGINE_VERSION)
        if waiting.qualifications_queued and waiting.qualifications_played < _half_of_the_slots(tx, moment):
            return True
        others = waiting.owners - {owner}
        if not others:
            return False
        served = shares.served(tx, moment - LATELY, moment)
    nothing = timedelta()
    return min(served.get(other, nothing) for other in others) < served.get(owner, nothing)


def _half_of_the_slots(tx: Connection, now: datetime) -> int:
    return max(1, windows.slots(tx, ENGINE_VERSION, now - windows.WORKER_GONE) // 2)
