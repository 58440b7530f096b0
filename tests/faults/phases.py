"""Where a match, or its tournament, is when a fault strikes: how that is reached, and seen to be reached."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from tests.faults import cups
from tests.faults.cups import OPENING_PLIES, Cup, Pace
from tests.faults.rig import Rig, go_on, stop
from tests.support import field
from tests.support.processes import eventually

REACHED_SECONDS = 120
MID_GAME = (1, 5)
MID_GAME_PLY = OPENING_PLIES + 6
LONG_MATCHES = Pace(pause_ms=6)         # each is reported as soon as it is played
HELD_ENTRANTS = 8                       # so many matches that some travel together


@dataclass(frozen=True, slots=True)
class At:
    """What the fault finds: the tournament, and who plays which match of it, if anybody does."""

    cup: Cup
    match_id: int | None = None
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Phase:
    """`reached`: within it the arena is there; what held it there lets go at the end of the block."""

    name: str
    means: str
    pace: Pace
    reached: Callable[[Rig, str, Pace], AbstractContextManager[At]]


@contextmanager
def _due(rig: Rig, name: str, pace: Pace) -> Iterator[At]:
    control = rig.part("control")
    with rig.writing_locked():          # stopped in mid-write, it would keep everybody else from writing
        stop(control)
    try:
        yield At(cups.begin(rig.store, name, pace))
    finally:
        go_on(control)


@contextmanager
def _leased(rig: Rig, name: str, pace: Pace) -> Iterator[At]:
    cup = cups.begin(rig.store, name, pace)
    yield _where(rig, cup, lambda row: row.state == "leased" and _naps(row) and row.ply == 0)


@contextmanager
def _mid_game(rig: Rig, name: str, pace: Pace) -> Iterator[At]:
    cup = cups.begin(rig.store, name, pace)
    yield _where(rig, cup, lambda row: row.state == "leased" and row.ply >= MID_GAME_PLY)


@contextmanager
def _between_games(rig: Rig, name: str, pace: Pace) -> Iterator[At]:
    cup = cups.begin(rig.store, name, pace)
    first = _where(rig, cup, lambda row: row.state == "leased" and row.ply >= MID_GAME_PLY)

    def has_begun_again(row: Any) -> bool:
        return row.id == first.match_id and row.state == "leased" and row.ply <= OPENING_PLIES + 1

    yield _where(rig, cup, has_begun_again)


@contextmanager
def _held(rig: Rig, name: str, pace: Pace) -> Iterator[At]:
    """Some process has leased two matches: it plays one, and has not reported the other."""
    cup = cups.begin(rig.store, name, pace, HELD_ENTRANTS)
    yield _where(rig, cup, lambda row: row.state == "leased" and _leased_by(rig, cup, row.worker) == 2)


@contextmanager
def _ingest(rig: Rig, name: str, pace: Pace) -> Iterator[At]:
    cup = cups.begin(rig.store, name, pace)
    at = _where(rig, cup, lambda row: row.state == "leased")
    with _about_to_report(rig, at):
        yield at


@contextmanager
def _board(rig: Rig, name: str, pace: Pace) -> Iterator[At]:
    with rig.stack.redis_relay.trap(_writes_a_board) as trap:
        cup = cups.begin(rig.store, name, pace)
        at = _where(rig, cup, lambda row: row.state == "leased")
        assert trap.caught.wait(REACHED_SECONDS), "no board was written"
        yield _final(rig, at)


@contextmanager
def _end(rig: Rig, name: str, pace: Pace) -> Iterator[At]:
    cup = cups.begin(rig.store, name, pace)
    eventually(lambda: _finished(rig, cup) == cup.matches - 1, REACHED_SECONDS, "the last match")
    at = _where(rig, cup, lambda row: row.state == "leased")
    with _about_to_report(rig, at):
        yield at


PHASES = (
    Phase("due", "started, and nothing is queued yet", Pace(), _due),
    Phase("leased", "claimed; a bot is being loaded", Pace(((0, 0),)), _leased),
    Phase("mid-game", "in a turn of the first game", Pace((MID_GAME,)), _mid_game),
    Phase("between games", "no move of the second one is made", Pace((MID_GAME, (2, 1))), _between_games),
    Phase("held", "played; the report waits for others of its message", Pace(pause_ms=0), _held),
    Phase("ingest", "played; the report waits for the database", LONG_MATCHES, _ingest),
    Phase("board", "committed; the board in Redis does not know yet", Pace(), _board),
    Phase("end", "the report of the last match waits for the database", replace(LONG_MATCHES, naps=((2, 1),)), _end),
)


def _where(rig: Rig, cup: Cup, is_there: Callable[[Any], bool]) -> At:
    """Wait until a match of the tournament is there."""
    found: list[Any] = []

    def look() -> bool:
        found[:] = [row for row in cups.match_rows_of(rig.store, cup) if is_there(row)]
        return bool(found)

    eventually(look, REACHED_SECONDS, "the phase")
    return At(cup, found[0].id, int(found[0].worker.rpartition(":")[2]))


@contextmanager
def _about_to_report(rig: Rig, at: At) -> Iterator[None]:
    with rig.writing_locked():
        row = field.state_of(rig.store, at.match_id or 0)
        assert (row.state, int(row.worker.rpartition(":")[2])) == ("leased", at.player), "the match ended too soon"
        eventually(lambda: rig.is_waiting_to_write(at.player or 0), REACHED_SECONDS, "the report waits")
        yield


def _final(rig: Rig, at: At) -> At:
    """The match whose result the board does not know; its player still waits for Redis."""
    final = [row for row in cups.match_rows_of(rig.store, at.cup) if row.state == "finished"]
    assert final, "a board was written before there was a result"
    return At(at.cup, final[0].id, int(final[0].worker.rpartition(":")[2]))


def _naps(row: Any) -> bool:
    """The first entrant, who naps, plays it: it has the first place of the first round."""
    return bool(row.schedule_index == 0)


def _leased_by(rig: Rig, cup: Cup, worker: str) -> int:
    return sum(row.state == "leased" and row.worker == worker for row in cups.match_rows_of(rig.store, cup))


def _finished(rig: Rig, cup: Cup) -> int:
    return sum(row.state == "finished" for row in cups.match_rows_of(rig.store, cup))


def _writes_a_board(request: bytes) -> bool:
    return b"EVALSHA" in request and b"arena:board:" in request
