"""What a process has played and not reported yet: short matches are reported together, which costs a fraction.

A report waits until the first turn after half a second, at the latest until the next lease is renewed.  A process that
dies with it has lost no result: the match was leased, and is played again.
"""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self, TypeVar

import structlog

from arena.errors import ArenaFault, StoreUnavailable
from arena.services import results
from arena.services.assignments import Assignment
from arena.services.reports import Report
from arena.store.session import Store
from workers import process

HOLD_SECONDS = 0.5              # a report that waits; a match that takes longer is reported at once
PATIENCE_SECONDS = 120.0        # for a database that is away while there is something to report
PAUSE_SECONDS = 0.5

T = TypeVar("T")
log = structlog.get_logger()


class Reports:
    """Those of the matches of one message; all are handed in when it is left."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._held: list[Report] = []
        self._due = 0.0
        self.seconds_spent = 0.0        # on handing in, which is no part of any match

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hand_in()

    def add(self, report: Report) -> None:
        """Hand it in, at once or with others that come soon."""
        self._held.append(report)
        if len(self._held) == 1:
            self._due = self._clock() + self._hold_seconds()
        if report.duration_ms > 1000 * HOLD_SECONDS:
            self.hand_in()

    def hand_in(self) -> None:
        """All that waits, as soon as the database lets us."""
        held, self._held = self._held, []
        if held:
            patiently(lambda: _ingest(self._store, held))

    def hand_in_if_due(self) -> None:
        """All that has waited long enough, if the database lets us; between two turns."""
        if self._held and self._clock() >= self._due:
            self.try_to_hand_in()

    def try_to_hand_in(self) -> None:
        """All that waits; where the database does not answer it goes on waiting."""
        held, self._held = self._held, []
        if not held:
            return
        began = self._clock()
        try:
            _ingest(self._store, held)
        except StoreUnavailable as fault:
            log.warning("reports_wait", matches=_match_ids(held), reason=str(fault))
            self._held, self._due = held, self._clock() + self._hold_seconds()
        finally:
            self.seconds_spent += self._clock() - began

    def _hold_seconds(self) -> float:
        return min(HOLD_SECONDS, self._store.settings.lease_seconds / 6)


def report_fault(store: Store, assignment: Assignment, fault: ArenaFault) -> None:
    """An attempt has ended through a fault of ours."""
    log.warning("attempt_faulty", code=fault.code, reason=str(fault))
    patiently(lambda: results.report_fault(store, assignment, fault))


def patiently(report: Callable[[], T]) -> T | None:
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


def mistake(error: Exception) -> ArenaFault:
    """What anybody may know of an exception that nobody expected."""
    return ArenaFault(f"{type(error).__name__} in the worker; its log tells more")


def _ingest(store: Store, reports: list[Report]) -> None:
    """A mistake of ours in one of them must not be a match that never ends, and must not touch the others."""
    try:
        with structlog.contextvars.bound_contextvars(match_id=None, attempt=None):      # not those of the present match
            results.ingest_all(store, reports)
    except StoreUnavailable:
        raise
    except Exception as error:
        log.exception("reports_failed", matches=_match_ids(reports))
        if len(reports) == 1:
            results.report_fault(store, reports[0].assignment, mistake(error))
            return
        for report in reports:
            _ingest(store, [report])


def _match_ids(reports: list[Report]) -> list[int]:
    return [report.assignment.match_id for report in reports]
