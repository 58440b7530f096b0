"""What attempts report: records, believed only after a replay and counted once, or faults of ours."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter

import structlog
from sqlalchemy import Connection

from arena.errors import ArenaFault, RecordRefused
from arena.match.record import MatchPlayed
from arena.services.assignments import Assignment
from arena.services.board_copies import push_boards
from arena.services.failures import count_failure
from arena.services.leaving import take_out_the_shut_out
from arena.services.parking import park_if_failing
from arena.services.ratings import advance_rating_cursor
from arena.services.reports import Report, check, fault_of_the_house, qualified
from arena.services.standings import count_results
from arena.store import events, leases, results
from arena.store.leases import FAULT, Failed
from arena.store.results import NewResult
from arena.store.session import Store, utc_now

__all__ = ["ACCEPTED", "REFUSED", "REPEATED", "Ingested", "Report", "ingest", "ingest_all", "report_fault"]

ACCEPTED, REPEATED, REFUSED = "accepted", "repeated", "refused"

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of a report. The same one again is `repeated`; one that does not count is `refused`, and kept."""

    status: str


@dataclass(slots=True)
class _Taken:
    """`changed`: rulesets whose boards did; `is_parked`: somebody was, and is to leave what is under way."""

    statuses: list[str] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)
    is_parked: bool = False


def ingest(
    store: Store, assignment: Assignment, played: MatchPlayed, duration_ms: int, now: Callable[[], datetime] = utc_now
) -> Ingested:
    """Take in what an attempt has played just now: once, if it is true and the attempt still holds the match."""
    return ingest_all(store, [Report(assignment, played, duration_ms, now())], now)[0]


def ingest_all(
    store: Store, reports: Sequence[Report], now: Callable[[], datetime] = utc_now
) -> tuple[Ingested, ...]:
    """Take in what attempts have played, all that is true in one transaction; what became of each, in their order."""
    refused = {place for place, report in enumerate(reports) if not _is_credible(store, report, now)}
    credible = [report for place, report in enumerate(reports) if place not in refused]
    taken = _take_in(store, credible, now()) if credible else _Taken()
    for report, status in zip(credible, taken.statuses, strict=True):
        lease = report.assignment.lease
        log.info("match_reported", match_id=lease.match_id, attempt=lease.attempt, status=status)
    push_boards(store, sorted(taken.changed))
    if taken.is_parked:
        take_out_the_shut_out(store, now)
    statuses = iter(taken.statuses)
    return tuple(Ingested(REFUSED if place in refused else next(statuses)) for place in range(len(reports)))


def report_fault(
    store: Store, assignment: Assignment, fault: ArenaFault, now: Callable[[], datetime] = utc_now
) -> None:
    """An attempt ended through a fault of ours: the match is due again, or void after three of them."""
    count_failure(store, assignment.lease, Failed(FAULT, fault.code, str(fault)), now())


def _is_credible(store: Store, report: Report, now: Callable[[], datetime]) -> bool:
    """Whether a report may count; one that may not ends its attempt as a fault of ours."""
    try:
        check(report)
    except RecordRefused as refusal:
        _refuse(store, report, refusal, now())
        return False
    house_fault = fault_of_the_house(report)
    if house_fault is not None:
        fault = ArenaFault(f"The house's own bot forfeited a game: {house_fault}")
        report_fault(store, report.assignment, fault, now)
    return house_fault is None


def _refuse(store: Store, report: Report, refusal: RecordRefused, now: datetime) -> None:
    lease = report.assignment.lease
    log.error("record_refused", match_id=lease.match_id, attempt=lease.attempt, reason=str(refusal))
    with store.write() as tx:
        leases.keep_late_record(tx, lease, results.pack(report.played.record).content)
    count_failure(store, lease, Failed(FAULT, refusal.code, str(refusal)), now)


def _take_in(store: Store, reports: Sequence[Report], now: datetime) -> _Taken:
    """One transaction."""
    made = [_made(report) for report in reports]
    taken = _Taken()
    with store.write() as tx:
        tournament_of = leases.lock_tournaments(tx, [new.lease.match_id for new in made])
        held = leases.finish(tx, {new.lease: new.ended_at for new in made})
        counted = {new.lease: new for new in made if new.lease in held}
        results.add(tx, counted.values())
        for report, new in zip(reports, made, strict=True):
            if report.assignment.purpose == "qualification" and counted.get(new.lease) is new:
                results.decide_version(tx, new.lease.match_id, qualified(report.played), now)
        for tournament_id, news in _by_tournament(counted.values(), tournament_of):
            _count(tx, tournament_id, news, taken, now)
        taken.statuses = [ACCEPTED if counted.get(new.lease) is new else _answer_late(tx, new) for new in made]
    return taken


def _made(report: Report) -> NewResult:
    played = report.played
    packed = results.pack(played.record)
    return NewResult(
        report.assignment.lease, played.record, played.logs, packed, report.duration_ms, report.ended_at
    )


def _by_tournament(
    news: Iterable[NewResult], tournament_of: Mapping[int, int]
) -> list[tuple[int, list[NewResult]]]:
    """Tournaments and their results, in the order in which everybody locks rulesets."""
    grouped = defaultdict(list)
    for new in news:
        if new.lease.match_id in tournament_of:
            grouped[new.record.ruleset, tournament_of[new.lease.match_id]].append(new)
    return [(tournament_id, own) for (_, tournament_id), own in sorted(grouped.items(), key=itemgetter(0))]


def _count(tx: Connection, tournament_id: int, news: Sequence[NewResult], taken: _Taken, now: datetime) -> None:
    """Move a tournament's table and ratings on, and park who fails time and again; hold its lock."""
    records = {new.lease.match_id: new.record for new in news}
    count_results(tx, tournament_id, records)
    for match_id, record in records.items():
        taken.is_parked |= park_if_failing(tx, match_id, record, now)
    events.append(tx, tournament_id, events.RESULT, records)
    changed = advance_rating_cursor(tx, tournament_id, now)
    if changed is not None:
        taken.changed.add(changed)


def _answer_late(tx: Connection, new: NewResult) -> str:
    if results.is_stored(tx, new.lease, new.packed.hash):
        return REPEATED
    leases.keep_late_record(tx, new.lease, new.packed.content)
    return REFUSED
