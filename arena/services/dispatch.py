"""Who plays what, and when: matches become due, get a place in the queue, and are leased to workers one by one.

The queue of record is SQL; a message is a nudge that carries ids and may be lost or doubled. Nothing here plays.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta

import structlog
from sqlalchemy import Connection

from arena.errors import ArenaFault, BoardsUnavailable, LeaseLost
from arena.match.record_types import ENGINE_VERSION
from arena.services.assignments import HOUSE_BOT, HOUSE_PACKAGE, Assignment
from arena.services.board_copies import push_boards, refresh_boards
from arena.services.failures import count_failure
from arena.services.leaving import settle_returned, take_out_the_shut_out
from arena.services.recurring import begin_due
from arena.services.upgrades import pause_left_behind
from arena.services.window import MOST_IN_A_BATCH, Batch, fill
from arena.store import leases, windows
from arena.store.leases import EXPIRED, FAULT, Claimant, Failed, Lease
from arena.store.session import Store, utc_now
from arena.store.windows import WORKER_GONE

Publish = Callable[[Batch], None]
"""Sends one message; raises `ArenaFault` when the queue does not take it."""

IDLE = timedelta(seconds=3)     # workers without work for so long: what is queued was lost on the way
FORGOTTEN = timedelta(days=1)   # a worker that was not seen for so long

log = structlog.get_logger()


def tick(store: Store, publish: Publish, now: Callable[[], datetime] = utc_now) -> int:
    """One step of dispatch; any number may run at once. Returns how many matches it has queued.

    Takes back what expired or was lost, takes out who may not play on, pauses what an upgrade left behind, begins the
    tournaments that are due, fills the window and sends it off, and looks after the boards in Redis.
    """
    _heed_the_clock(store, now())
    _expire_leases(store, now())
    _expire_places(store, now())
    take_out_the_shut_out(store, now)
    pause_left_behind(store, now)
    begin_due(store, now)
    queued = dispatch_next(store, publish, now)
    refresh_boards(store)
    return queued


def dispatch_next(store: Store, publish: Publish, now: Callable[[], datetime] = utc_now) -> int:
    """Queue what there is room for. Returns how many matches were queued."""
    filled = fill(store, now())
    push_boards(store, filled.changed)
    return _send(filled.batches, publish)


def go_on(store: Store, publish: Publish, now: Callable[[], datetime] = utc_now) -> int:
    """What a worker does behind its message: fill the window, or take part in what others have before them.

    Returns how many matches were sent.
    """
    return dispatch_next(store, publish, now) or _help_out(store, publish, now)


def still_queued(store: Store, match_ids: Sequence[int]) -> tuple[int, ...]:
    """What is left of a message that was sent some time ago, in its order; only a claim decides who plays it."""
    with store.read() as tx:
        left = windows.still_queued(tx, match_ids)
    return tuple(match_id for match_id in match_ids if match_id in left)


def claim_each(
    store: Store, worker: str, match_ids: Iterable[int], now: Callable[[], datetime] = utc_now
) -> Iterator[Assignment]:
    """Lease each match when the caller comes for it; those that nobody may play any more are passed over.

    So are those of a tournament that began under another engine, which the log says.
    """
    claimant = Claimant(worker, ENGINE_VERSION)
    for match_id in match_ids:
        moment = now()
        with store.write() as tx:
            lease = leases.claim(tx, match_id, claimant, moment, moment + _lease_time(store))
            assignment = None if lease is None else _assignment(tx, lease)
            wanted = leases.engine_wanted(tx, match_id) if lease is None else None
        if assignment is not None:
            yield assignment
        elif wanted not in (None, ENGINE_VERSION):
            log.warning("match_of_another_engine", match_id=match_id, wanted=wanted, here=ENGINE_VERSION)


def renew(store: Store, assignment: Assignment, ply: int, now: Callable[[], datetime] = utc_now) -> None:
    """Keep the lease, and show how far the game is.

    Raises: LeaseLost when the attempt holds the match no more: it took too long, or the tournament was cancelled.
    """
    with store.write() as tx:
        is_held = leases.renew(tx, assignment.lease, ply, now() + _lease_time(store))
    if not is_held:
        raise LeaseLost(f"Attempt {assignment.attempt} no longer holds match {assignment.match_id}; stop playing it.")


def hand_back(store: Store, assignment: Assignment, now: Callable[[], datetime] = utc_now) -> None:
    """Return an unfinished match, because its worker stops; that is no failed attempt."""
    changed = None
    with store.write() as tx:
        tournament_id = leases.lock_tournaments(tx, [assignment.match_id]).get(assignment.match_id)
        if leases.hand_back(tx, assignment.lease, now()):
            changed = settle_returned(tx, assignment.match_id, tournament_id, now())
    if changed is not None:
        push_boards(store, [changed])


def take_over(store: Store, worker: str, now: Callable[[], datetime] = utc_now) -> None:
    """A process that is known to be dead leaves its matches at once; each is a failed attempt, as by its lease."""
    with store.read() as tx:
        left = leases.held_by(tx, worker)
    died = Failed(FAULT, LeaseLost.code, "The process that played it has died.")
    for lease in left:
        count_failure(store, lease, died, now())


def give_up_places(store: Store, match_ids: Iterable[int]) -> None:
    """These queued matches will not be claimed from their message; they are due at once."""
    with store.write() as tx:
        leases.leave_queue(tx, list(match_ids))


def register_worker(
    store: Store, name: str, slots: int, isolation: str, now: Callable[[], datetime] = utc_now
) -> None:
    """A worker lives and plays up to `slots` matches at once; to be repeated more often than every 30 s."""
    seen = {"slots": slots, "engine_version": ENGINE_VERSION, "isolation": isolation, "seen_at": now()}
    with store.write() as tx:
        windows.register_worker(tx, name, seen)


def sign_off_worker(store: Store, name: str, now: Callable[[], datetime] = utc_now) -> None:
    """A worker stops; those long gone are forgotten with it."""
    with store.write() as tx:
        windows.forget_workers(tx, name, unseen_since=now() - FORGOTTEN)


def live_slots(store: Store, now: Callable[[], datetime] = utc_now) -> int:
    """How many matches can be played at once right now."""
    with store.read() as tx:
        return windows.slots(tx, ENGINE_VERSION, now() - WORKER_GONE)


def is_present(store: Store, worker: str, now: Callable[[], datetime] = utc_now) -> bool:
    """Whether this worker has said lately that it lives."""
    with store.read() as tx:
        return windows.is_seen(tx, worker, now() - WORKER_GONE)


def _help_out(store: Store, publish: Publish, now: Callable[[], datetime]) -> int:
    """Send the end of what waits in messages once more, for a worker that would have nothing to do.

    Whoever comes to a match first plays it; for the other it is gone, as if its message came twice.
    """
    with store.read() as tx:
        slots = windows.slots(tx, ENGINE_VERSION, now() - WORKER_GONE)
        waiting = windows.newest_queued(tx, ENGINE_VERSION, slots * MOST_IN_A_BATCH)
    share = waiting[: -(-len(waiting) // slots)] if slots > 1 else []
    return _send([tuple(reversed(share))] if share else [], publish)


def _send(batches: Sequence[Batch], publish: Publish) -> int:
    """How many matches are in these messages; where one is not taken, places expire, and matches are due again."""
    for batch in batches:
        try:
            publish(batch)
        except ArenaFault as fault:
            log.warning("batch_not_published", matches=len(batch), reason=str(fault))
            break
    return sum(map(len, batches))


def _lease_time(store: Store) -> timedelta:
    return timedelta(seconds=store.settings.lease_seconds)


def _assignment(tx: Connection, lease: Lease) -> Assignment:
    purpose, setup, packages = leases.setup_of(tx, lease.match_id, (HOUSE_BOT, HOUSE_PACKAGE))
    return Assignment(lease.match_id, lease.attempt, setup, packages, purpose)


def _heed_the_clock(store: Store, now: datetime) -> None:
    """Where it was put back, leases and places would last as much longer; whoever lives renews a lease in time."""
    with store.write() as tx:
        leases.bring_forward(tx, "leased", now + _lease_time(store))
        leases.bring_forward(tx, "queued", now + timedelta(seconds=store.settings.queue_seconds))


def _expire_leases(store: Store, now: datetime) -> None:
    with store.read() as tx:
        expired = leases.expired(tx, now)
    gone = Failed(EXPIRED, LeaseLost.code, "The lease was not renewed; its worker is gone or hangs.")
    for lease in expired:
        count_failure(store, lease, gone, now)


def _expire_places(store: Store, now: datetime) -> None:
    """A place ends when its time is over, or at once when its message was lost: workers are idle, or Redis is empty."""
    place_time = timedelta(seconds=store.settings.queue_seconds)
    is_emptied = _is_emptied(store)
    with store.write() as tx:
        before = now
        slots = windows.slots(tx, ENGINE_VERSION, now - WORKER_GONE)
        if windows.busy_slots(tx, now - IDLE, now) < slots:
            before = now - IDLE + place_time
        if is_emptied:
            before = now + 2 * place_time
        returned = leases.expire_places(tx, max(now, before))
    if returned:
        log.info("places_expired", matches=returned)


def _is_emptied(store: Store) -> bool:
    try:
        return store.boards.was_emptied()
    except BoardsUnavailable:
        return False                    # what it has lost, shows when it is back
