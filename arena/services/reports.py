"""What an attempt hands in when it has played its match, and whether that can be true.  Pure."""

from dataclasses import dataclass
from datetime import datetime

from arena import games
from arena.errors import ArenaFault, RecordRefused
from arena.match.format import parse_format
from arena.match.record import MatchPlayed, MatchRecord, MatchSetup, Verdict, replay
from arena.match.time_control import parse_time_control
from arena.services.assignments import Assignment
from arena.store.results import Qualified

LAST_LOG_LINES = 40
CANDIDATE, HOUSE = 0, 1         # seats in a qualification


@dataclass(frozen=True, slots=True)
class Report:
    """A match as an attempt has played it, how long that took, and when it was over."""

    assignment: Assignment
    played: MatchPlayed
    duration_ms: int
    ended_at: datetime


def fault_in(report: Report) -> RecordRefused | ArenaFault | None:
    """Why a report cannot count: a record that is not true, or a qualification that the house's own bot spoilt."""
    record = report.played.record
    try:
        _check_terms(report.assignment.setup, record)
        replay(record)
    except RecordRefused as refusal:
        return refusal
    if report.assignment.purpose == "qualification" and (fault := _verdict_on(record, HOUSE)) is not None:
        return ArenaFault(f"The house's own bot forfeited a game: {fault}")
    return None


def qualified(played: MatchPlayed) -> Qualified:
    """What a qualification says of the new version."""
    fault = _verdict_on(played.record, CANDIDATE)
    load_ms = played.load_ms[CANDIDATE]
    import_ms = None if load_ms is None else round(load_ms)
    if fault is None:
        return Qualified("active", log=played.logs[CANDIDATE], import_ms=import_ms)
    last_lines = "\n".join(played.logs[CANDIDATE].splitlines()[-LAST_LOG_LINES:])
    return Qualified("rejected", fault.kind, fault.message, last_lines, import_ms)


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


def _verdict_on(record: MatchRecord, seat: int) -> Verdict | None:
    verdicts = (game.verdict for game in record.games)
    return next((verdict for verdict in verdicts if verdict is not None and verdict.seat == seat), None)
