"""One assignment from the claim to the report, by the thread that holds its lease."""

import time
from collections.abc import Callable
from typing import TypeVar

import structlog

from arena.errors import ArenaFault, Interrupted, LeaseLost, SandboxUnavailable, StoreUnavailable
from arena.match.player import MatchInfo, OpenPlayer, Player
from arena.match.referee import play_match
from arena.sandbox.player import Sandbox
from arena.services import dispatch, results
from arena.services.assignments import Assignment
from arena.store.session import Store
from workers import process

RENEW_SECONDS = 5.0             # at the latest; a third of a lease where that is shorter
PATIENCE_SECONDS = 120.0        # for a database that is away while there is something to report
PAUSE_SECONDS = 0.5

T = TypeVar("T")
log = structlog.get_logger()


class LeaseKeeper:
    """Renews the lease from within the match: before turns, and while it waits for a sandbox, an import or a reply."""

    def __init__(
        self, renew: Callable[[int], None], every_seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._renew = renew
        self._every_seconds = every_seconds
        self._clock = clock
        self._due = clock() + every_seconds
        self._ply = 0

    def on_progress(self, game: int, ply: int) -> None:
        """The referee is about to ask for this ply."""
        self._ply = ply
        self.keep()

    def keep(self) -> None:
        """Renew if it is time; raises `LeaseLost`, and `Interrupted` when the worker is being stopped."""
        if process.is_stopping():
            raise Interrupted("The worker is being stopped.")
        if self._clock() < self._due:
            return
        try:
            self._renew(self._ply)
        except StoreUnavailable as fault:       # the lease may hold out until the database is back
            log.warning("lease_not_renewed", reason=str(fault))
        self._due = self._clock() + self._every_seconds


def play(store: Store, sandbox: Sandbox, assignment: Assignment) -> None:
    """Play it and report: a record, a fault of ours, or nothing when the lease is lost or the worker stops."""
    with structlog.contextvars.bound_contextvars(match_id=assignment.match_id, attempt=assignment.attempt):
        try:
            _play_and_ingest(store, sandbox, assignment)
        except LeaseLost:
            log.warning("lease_lost")
        except Interrupted:
            log.info("match_handed_back")
            _patiently(lambda: dispatch.hand_back(store, assignment))
        except ArenaFault as fault:
            _report(store, assignment, fault)
            if isinstance(fault, SandboxUnavailable):
                process.end_worker()            # else it would fail every match there is
        except Exception as error:              # a mistake of ours must not be a match that never ends
            log.exception("match_failed")
            _report(store, assignment, ArenaFault(f"{type(error).__name__} in the worker; its log tells more"))


def _play_and_ingest(store: Store, sandbox: Sandbox, assignment: Assignment) -> None:
    every_seconds = min(RENEW_SECONDS, store.settings.lease_seconds / 3)
    keeper = LeaseKeeper(lambda ply: dispatch.renew(store, assignment, ply), every_seconds)
    began = time.monotonic()
    opener = _opener(sandbox, assignment, keeper)
    played = play_match(assignment.setup, opener, keeper.on_progress, isolation=sandbox.tier)
    duration_ms = round((time.monotonic() - began) * 1000)
    _patiently(lambda: results.ingest(store, assignment, played, duration_ms))


def _opener(sandbox: Sandbox, assignment: Assignment, keeper: LeaseKeeper) -> OpenPlayer:
    def open_player(seat: int, info: MatchInfo, seed: bytes) -> Player:
        return sandbox.open_player(assignment.packages[seat], seat, info, seed, keeper.keep)

    return open_player


def _report(store: Store, assignment: Assignment, fault: ArenaFault) -> None:
    log.warning("attempt_faulty", code=fault.code, reason=str(fault))
    _patiently(lambda: results.report_fault(store, assignment, fault))


def _patiently(report: Callable[[], T]) -> T | None:
    """Report as soon as the database lets us; after too long the lease decides."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return report()
        except StoreUnavailable as fault:
            log.warning("report_waits", reason=str(fault))
            if time.monotonic() > give_up or process.is_stopping():
                return None
            time.sleep(PAUSE_SECONDS)
