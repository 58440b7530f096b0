"""A version that fails time and again in one way is parked: it plays no more, and its owner is told why.

A bot fails in a match that it loses when it forfeited every game it lost, all by faults of one kind.  Its last five
matches, of whatever tournaments, decide.  Running out of time counts only where there was at least the default time.
The next version of the bot plays again, once it has qualified; until then no older one takes its place.
"""

from collections.abc import Mapping
from datetime import datetime

import structlog
from sqlalchemy import Connection

from arena.match.record import MatchRecord
from arena.match.time_control import DEFAULT_TIME_CONTROL, parse_time_control
from arena.store import bots, matches
from arena.store.results import unpack

IN_A_ROW = 5
TIMEOUT = "timeout"

log = structlog.get_logger()


def park_the_failing(tx: Connection, records: Mapping[int, MatchRecord], now: datetime) -> bool:
    """Park whoever has just failed for the fifth time in a row; in the transaction that takes these records in.

    Returns: whether somebody is to leave what is under way.
    """
    failed = {
        matches.versions_of(tx, match_id)[seat]: (match_id, kind)
        for match_id, record in records.items()
        for seat in (0, 1)
        if (kind := failure_of(record, seat)) is not None
    }
    parked = [_park(tx, version_id, *failed[version_id], now) for version_id in sorted(failed)]
    return any(parked)


def _park(tx: Connection, version_id: int, match_id: int, kind: str, now: datetime) -> bool:
    """Whether this version, which has failed so in that match, is parked by it."""
    last = matches.last_finished(tx, version_id, IN_A_ROW)
    if len(last) < IN_A_ROW or any(failure_of(unpack(one.packed), one.seat) != kind for one in last):
        return False
    played = ", ".join(str(one.match_id) for one in reversed(last))
    why = (
        f"It forfeited its last {IN_A_ROW} matches in the same way ({played}) and is parked: it enters nothing "
        "more and has left what was under way. Submit a new version to play again."
    )
    is_parked = bots.park(tx, version_id, kind, why, now)
    if is_parked:
        log.warning("version_parked", version_id=version_id, kind=kind, match_id=match_id)
    return is_parked


def failure_of(record: MatchRecord, seat: int) -> str | None:
    """How this bot failed in a match, as the word of a verdict; None when it did not."""
    if record.winner != 1 - seat:
        return None
    kinds = {
        game.verdict.kind if game.verdict is not None else None for game in record.games if game.winner == 1 - seat
    }
    kind = kinds.pop() if len(kinds) == 1 else None
    return None if kind == TIMEOUT and _was_hurried(record.time_control) else kind


def _was_hurried(time_control: str) -> bool:
    had, normal = parse_time_control(time_control), parse_time_control(DEFAULT_TIME_CONTROL)
    return had.turn_ms < normal.turn_ms or had.turn_ms + had.bank_ms < normal.turn_ms + normal.bank_ms
