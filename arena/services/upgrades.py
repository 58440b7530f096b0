"""Tournaments that a newer arena finds running: their results would not compare, so they do not go on by themselves."""

from collections.abc import Callable
from datetime import datetime

import structlog

from arena.match.record_types import ENGINE_VERSION
from arena.store import tournaments, windows
from arena.store.session import Store, utc_now
from arena.store.tournaments import PAUSED, RUNNING
from arena.store.windows import WORKER_GONE

log = structlog.get_logger()


def pause_left_behind(store: Store, now: Callable[[], datetime] = utc_now) -> int:
    """Pause what began under an engine that no worker has any more; how many. `start` says what to do with them."""
    with store.read() as tx:
        found = [
            (tournament_id, engine_version)
            for tournament_id, engine_version in tournaments.running_under_others(tx, ENGINE_VERSION)
            if not windows.slots(tx, engine_version, now() - WORKER_GONE)
        ]
    return sum(_pause(store, tournament_id, engine_version) for tournament_id, engine_version in found)


def _pause(store: Store, tournament_id: int, engine_version: str) -> bool:
    with store.write() as tx:
        tournament = tournaments.lock(tx, tournament_id)
        if tournament is None or tournament.state != RUNNING:
            return False
        tournaments.change(tx, tournament_id, {"state": PAUSED})
    log.warning(
        "tournament_paused", tournament_id=tournament_id, began_under=engine_version, engine_version=ENGINE_VERSION
    )
    return True
