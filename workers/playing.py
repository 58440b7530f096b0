"""The matches of a message, each from the claim to the report, by the thread that holds its lease."""

import time
from collections.abc import Callable, Sequence

import structlog

from arena.errors import ArenaFault, Interrupted, LeaseLost, SandboxUnavailable, StoreUnavailable
from arena.match.player import MatchInfo, OpenPlayer, Player
from arena.match.referee import play_match
from arena.sandbox.player import Sandbox
from arena.services import dispatch
from arena.services.assignments import Assignment
from arena.services.reports import Report
from arena.services.turns import Turn
from arena.store.session import Store, utc_now
from workers import process
from workers.reports import Reports, mistake, patiently, report_fault

RENEW_SECONDS = 5.0             # at the latest; a third of a lease where that is shorter

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


def play_each(store: Store, match_ids: Sequence[int]) -> None:
    """Play what can still be claimed, one after the other; put the rest back where others go first."""
    turn = Turn(store)
    with Reports(store) as reports:
        for match_id in dispatch.still_queued(store, match_ids):
            if process.is_stopping() or turn.is_over(match_id):
                dispatch.give_up_places(store, match_ids)
                break
            for assignment in dispatch.claim_each(store, process.name(), [match_id]):
                play(store, process.sandbox(), assignment, reports)


def play(store: Store, sandbox: Sandbox, assignment: Assignment, reports: Reports) -> None:
    """Play it and report: a record, a fault of ours, or nothing when the lease is lost or the worker stops."""
    with structlog.contextvars.bound_contextvars(match_id=assignment.match_id, attempt=assignment.attempt):
        try:
            reports.add(_played(store, sandbox, assignment, reports))
        except LeaseLost:
            log.warning("lease_lost")
        except Interrupted:
            log.info("match_handed_back")
            patiently(lambda: dispatch.hand_back(store, assignment))
        except ArenaFault as fault:
            report_fault(store, assignment, fault)
            if isinstance(fault, SandboxUnavailable):
                process.end_worker()            # else it would fail every match there is
        except Exception as error:              # a mistake of ours must not be a match that never ends
            log.exception("match_failed")
            report_fault(store, assignment, mistake(error))


def _played(store: Store, sandbox: Sandbox, assignment: Assignment, reports: Reports) -> Report:
    def renew(ply: int) -> None:
        reports.try_to_hand_in()                # in a long turn, what waits must not outlive its own lease
        dispatch.renew(store, assignment, ply)

    def on_progress(game: int, ply: int) -> None:
        reports.hand_in_if_due()
        keeper.on_progress(game, ply)

    if assignment.attempt > 1:
        reports.try_to_hand_in()                # it may be what ends processes, and is to end nobody else's match
    keeper = LeaseKeeper(renew, min(RENEW_SECONDS, store.settings.lease_seconds / 3))
    began = time.monotonic() - reports.seconds_spent
    opener = _opener(sandbox, assignment, keeper)
    played = play_match(assignment.setup, opener, on_progress, isolation=sandbox.tier)
    seconds = time.monotonic() - reports.seconds_spent - began
    return Report(assignment, played, round(seconds * 1000), utc_now())


def _opener(sandbox: Sandbox, assignment: Assignment, keeper: LeaseKeeper) -> OpenPlayer:
    def open_player(seat: int, info: MatchInfo, seed: bytes) -> Player:
        return sandbox.open_player(assignment.packages[seat], seat, info, seed, keeper.keep)

    return open_player
