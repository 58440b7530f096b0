"""What follows when an attempt ends through a fault of ours: the match is tried again, and at last given up."""

from datetime import datetime

import structlog

from arena.services.board_copies import push_boards
from arena.services.leaving import settle_returned
from arena.services.ratings import advance_rating_cursor
from arena.store import leases, results
from arena.store.leases import Failed, Failure, Lease
from arena.store.results import Qualified
from arena.store.session import Store

UNCHECKED = (
    "The qualification failed three times through no fault of this bot; it is tried again by itself. "
    "Nothing has to be sent again. The last failure was {code}."
)

log = structlog.get_logger()


def count_failure(store: Store, lease: Lease, failed: Failed, now: datetime) -> bool:
    """End an attempt that failed; False when it no longer holds the match. One transaction."""
    with store.write() as tx:
        leases.lock_tournaments(tx, [lease.match_id])
        failure = leases.fail(tx, lease, failed, now)
        if failure is None:
            return False
        changed = None
        if failure.is_last and failure.tournament_id is not None:
            changed = advance_rating_cursor(tx, failure.tournament_id, now)
        elif not failure.is_last:
            changed = settle_returned(tx, failure.match_id, failure.tournament_id, now)
        else:
            unchecked = Qualified("unchecked", fault_message=UNCHECKED.format(code=failed.code))
            results.decide_version(tx, failure.match_id, unchecked, now)
    _tell(lease, failure, failed)
    if changed is not None:
        push_boards(store, [changed])
    return True


def _tell(lease: Lease, failure: Failure, failed: Failed) -> None:
    event = "match_given_up" if failure.is_last else "attempt_failed"
    log.warning(
        event,
        match_id=lease.match_id,
        attempt=lease.attempt,
        purpose=failure.purpose,
        end=failed.end,
        code=failed.code,
        reason=failed.detail,
    )
