"""What an attempt reports: its record, believed only after a replay and counted once, or a fault of ours."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlalchemy import Connection

from arena import games
from arena.errors import ArenaFault, RecordRefused
from arena.match.clock import parse_time_control
from arena.match.format import parse_format
from arena.match.record import MatchPlayed, MatchRecord, MatchSetup, Verdict, replay
from arena.services.assignments import Assignment
from arena.services.board_copies import push_boards
from arena.services.failures import count_failure
from arena.services.leaving import take_out_the_shut_out
from arena.services.parking import park_if_failing
from arena.services.ratings import advance_rating_cursor
from arena.services.standings import count_result
from arena.store import events, leases, results
from arena.store.leases import FAULT, Failed
from arena.store.results import Qualified
from arena.store.session import Store, utc_now

__all__ = ["ACCEPTED", "REFUSED", "REPEATED", "Ingested", "advance_rating_cursor", "ingest", "report_fault"]

ACCEPTED, REPEATED, REFUSED = "accepted", "repeated", "refused"
LAST_LOG_LINES = 40
CANDIDATE, HOUSE = 0, 1         # seats in a qualification

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of a report. The same one again is `repeated`; one that does not count is `refused`, and kept."""

    status: str


@dataclass(frozen=True, slots=True)
class _Taken:
    """`changed`: the ruleset whose board did; `is_parked`: somebody was, and is to leave what is under way."""

    status: str
    changed: str | None = None
    is_parked: bool = False


def ingest(
    store: Store, assignment: Assignment, played: MatchPlayed, duration_ms: int, now: Callable[[], datetime] = utc_now
) -> Ingested:
    """Take in what an attempt has played: once, if it is true and the attempt still holds the match."""
    try:
        _check_terms(assignment.setup, played.record)
        replay(played.record)
    except RecordRefused as refusal:
        return _refuse_false(store, assignment, played, refusal, now())
    if assignment.purpose == "qualification" and (house_fault := _verdict_on(played.record, HOUSE)) is not None:
        report_fault(store, assignment, ArenaFault(f"The house's own bot forfeited a game: {house_fault}"), now)
        return Ingested(REFUSED)
    taken = _take_in(store, assignment, played, duration_ms, now())
    log.info("match_reported", match_id=assignment.match_id, attempt=assignment.attempt, status=taken.status)
    if taken.changed is not None:
        push_boards(store, [taken.changed])
    if taken.is_parked:
        take_out_the_shut_out(store, now)
    return Ingested(taken.status)


def report_fault(
    store: Store, assignment: Assignment, fault: ArenaFault, now: Callable[[], datetime] = utc_now
) -> None:
    """An attempt ended through a fault of ours: the match is due again, or void after three of them."""
    count_failure(store, assignment.lease, Failed(FAULT, fault.code, str(fault)), now())


def _take_in(
    store: Store, assignment: Assignment, played: MatchPlayed, duration_ms: int, now: datetime
) -> _Taken:
    """One transaction."""
    with store.write() as tx:
        tournament_id = leases.lock_tournament(tx, assignment.match_id)
        if not leases.finish(tx, assignment.lease, now):
            return _Taken(_answer_late(tx, assignment, played))
        results.add(tx, assignment.lease, played, duration_ms, now)
        if tournament_id is None:
            results.decide_version(tx, assignment.match_id, _qualified(played), now)
            return _Taken(ACCEPTED)
        count_result(tx, assignment.match_id, played.record)
        is_parked = park_if_failing(tx, assignment.match_id, played.record, now)
        events.append(tx, tournament_id, events.RESULT, [assignment.match_id])
        return _Taken(ACCEPTED, advance_rating_cursor(tx, tournament_id, now), is_parked)


def _answer_late(tx: Connection, assignment: Assignment, played: MatchPlayed) -> str:
    packed = results.pack(played)
    if results.is_stored(tx, assignment.lease, packed.hash):
        return REPEATED
    leases.keep_late_record(tx, assignment.lease, packed.content)
    return REFUSED


def _refuse_false(
    store: Store, assignment: Assignment, played: MatchPlayed, refusal: RecordRefused, now: datetime
) -> Ingested:
    log.error("record_refused", match_id=assignment.match_id, attempt=assignment.attempt, reason=str(refusal))
    with store.write() as tx:
        leases.keep_late_record(tx, assignment.lease, results.pack(played).content)
    count_failure(store, assignment.lease, Failed(FAULT, refusal.code, str(refusal)), now)
    return Ingested(REFUSED)


def _check_terms(setup: MatchSetup, record: MatchRecord) -> None:
    """Raises: RecordRefused when the record is of another match than the one assigned."""
    assigned = {
        "ruleset": games.load(setup.ruleset).ruleset,
        "match_format": parse_format(setup.match_format).name,
        "time_control": str(parse_time_control(setup.time_control)),
        "seed": setup.seed,
        "opening_plies": setup.opening_plies,
        "bots": setup.bots,
    }
    for name, value in assigned.items():
        if getattr(record, name) != value:
            claimed = "another one" if name == "seed" else repr(getattr(record, name))
            raise RecordRefused(f"{name.replace('_', ' ')}: the record has {claimed}, assigned was {value!r}")


def _qualified(played: MatchPlayed) -> Qualified:
    fault = _verdict_on(played.record, CANDIDATE)
    load_ms = played.load_ms[CANDIDATE]
    import_ms = None if load_ms is None else round(load_ms)
    if fault is None:
        return Qualified("active", log=played.logs[CANDIDATE], import_ms=import_ms)
    last_lines = "\n".join(played.logs[CANDIDATE].splitlines()[-LAST_LOG_LINES:])
    return Qualified("rejected", fault.kind, fault.message, last_lines, import_ms)


def _verdict_on(record: MatchRecord, seat: int) -> Verdict | None:
    verdicts = (game.verdict for game in record.games)
    return next((verdict for verdict in verdicts if verdict is not None and verdict.seat == seat), None)
