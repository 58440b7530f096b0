"""What attempts report: records, believed only after a replay and counted once, or faults of ours."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter

import structlog
from sqlalchemy import Connection

from arena.errors import ArenaFault, RecordRefused
from arena.match.record import MatchPlayed, MatchRecord
from arena.services.assignments import Assignment
from arena.services.board_copies import push_boards
from arena.services.failures import count_failure
from arena.services.leaving import take_out_the_shut_out
from arena.services.parking import park_the_failing
from arena.services.ratings import advance_rating_cursor
from arena.services.reports import Report, fault_in, qualified
from arena.services.standings import count_results
from arena.store import events, leases, results
from arena.store.leases import FAULT, Failed, Lease
from arena.store.results import NewResult
from arena.store.session import Store, utc_now

__all__ = ["ACCEPTED", "REFUSED", "REPEATED", "Ingested", "ingest", "ingest_all", "report_fault"]

ACCEPTED, REPEATED, REFUSED = "accepted", "repeated", "refused"

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of a report. The same one again is `repeated`; one that does not count is `refused`, and kept."""

    status: str


@dataclass(frozen=True, slots=True)
class _Taken:
    """`changed`: rulesets whose boards did; `is_parked`: somebody was, and is to leave what is under way."""

    statuses: tuple[str, ...]
    changed: frozenset[str]
    is_parked: bool


def ingest(
    store: Store, assignment: Assignment, played: MatchPlayed, duration_ms: int, now: Callable[[], datetime] = utc_now
) -> Ingested:
    """Take in what an attempt has played just now: once, if it is true and the attempt still holds the match."""
    return ingest_all(store, [Report(assignment, played, duration_ms, now())], now)[0]


def ingest_all(
    store: Store, reports: Sequence[Report], now: Callable[[], datetime] = utc_now
) -> tuple[Ingested, ...]:
    """Take in what attempts have played, all that is true in one transaction; what became of each, in their order."""
    faults = [fault_in(report) for report in reports]
    for report, fault in zip(reports, faults, strict=True):
        if fault is not None:
            _refuse(store, report, fault, now())
    credible = [report for report, fault in zip(reports, faults, strict=True) if fault is None]
    statuses = iter(_take_in_and_tell(store, credible, now) if credible else ())
    return tuple(Ingested(next(statuses) if fault is None else REFUSED) for fault in faults)


def report_fault(
    store: Store, assignment: Assignment, fault: ArenaFault, now: Callable[[], datetime] = utc_now
) -> None:
    """An attempt ended through a fault of ours: the match is due again, or void after three of them."""
    count_failure(store, assignment.lease, Failed(FAULT, fault.code, str(fault)), now())


def _refuse(store: Store, report: Report, fault: RecordRefused | ArenaFault, now: datetime) -> None:
    """A report that may not count ends its attempt as a fault of ours; a false record is kept."""
    lease = report.assignment.lease
    if isinstance(fault, RecordRefused):
        log.error("record_refused", match_id=lease.match_id, attempt=lease.attempt, reason=str(fault))
        with store.write() as tx:
            leases.keep_late_record(tx, lease, results.pack(report.played.record).content)
    count_failure(store, lease, Failed(FAULT, fault.code, str(fault)), now)


def _take_in_and_tell(store: Store, reports: Sequence[Report], now: Callable[[], datetime]) -> tuple[str, ...]:
    taken = _take_in(store, reports, now())
    for report, status in zip(reports, taken.statuses, strict=True):
        lease = report.assignment.lease
        log.info("match_reported", match_id=lease.match_id, attempt=lease.attempt, status=status)
    push_boards(store, sorted(taken.changed))
    if taken.is_parked:
        take_out_the_shut_out(store, now)
    return taken.statuses


def _take_in(store: Store, reports: Sequence[Report], now: datetime) -> _Taken:
    """One transaction. Of several reports of one attempt the first counts."""
    made = [_made(report) for report in reports]
    first: dict[Lease, NewResult] = {}
    for new in made:
        first.setdefault(new.lease, new)
    with store.write() as tx:
        tournament_of = leases.lock_tournaments(tx, [lease.match_id for lease in first])
        held = leases.finish(tx, {lease: new.ended_at for lease, new in first.items()})
        counted = {lease: new for lease, new in first.items() if lease in held}
        results.add(tx, counted.values())
        for report, new in zip(reports, made, strict=True):
            if report.assignment.purpose == "qualification" and counted.get(new.lease) is new:
                results.decide_version(tx, new.lease.match_id, qualified(report.played), now)
        grouped = _by_tournament(counted.values(), tournament_of)
        changed = [_count(tx, tournament_id, records, now) for tournament_id, records in grouped]
        is_parked = park_the_failing(tx, {match: own[match] for _, own in grouped for match in own}, now)
        statuses = [ACCEPTED if counted.get(new.lease) is new else _answer_late(tx, new) for new in made]
    return _Taken(tuple(statuses), frozenset(filter(None, changed)), is_parked)


def _made(report: Report) -> NewResult:
    played = report.played
    packed = results.pack(played.record)
    return NewResult(
        report.assignment.lease, played.record, played.logs, packed, report.duration_ms, report.ended_at
    )


def _by_tournament(
    news: Iterable[NewResult], tournament_of: Mapping[int, int]
) -> list[tuple[int, dict[int, MatchRecord]]]:
    """Tournaments and their records by match, in the order in which everybody locks rulesets."""
    grouped: dict[tuple[str, int], dict[int, MatchRecord]] = defaultdict(dict)
    for new in news:
        match_id = new.lease.match_id
        if match_id in tournament_of:
            grouped[new.record.ruleset, tournament_of[match_id]][match_id] = new.record
    return [(tournament_id, records) for (_, tournament_id), records in sorted(grouped.items(), key=itemgetter(0))]


def _count(tx: Connection, tournament_id: int, records: Mapping[int, MatchRecord], now: datetime) -> str | None:
    """Move a tournament's table and ratings on; hold its lock. Returns the ruleset whose board has changed."""
    count_results(tx, tournament_id, records)
    events.append(tx, tournament_id, events.RESULT, records)
    return advance_rating_cursor(tx, tournament_id, now)


def _answer_late(tx: Connection, new: NewResult) -> str:
    if results.is_stored(tx, new.lease, new.packed.hash):
        return REPEATED
    leases.keep_late_record(tx, new.lease, new.packed.content)
    return REFUSED
