"""How soon matches are played again, with the settings that everybody has; `make faults` runs this alone."""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.settings import Settings
from tests.faults import checks, cups, rig
from tests.faults.cups import Pace
from tests.faults.report import Measured, Report
from tests.faults.rig import Rig, kill
from tests.support import field
from tests.support.processes import eventually
from tests.support.redis_server import is_installed

pytestmark = [
    pytest.mark.services, pytest.mark.slow, pytest.mark.timeout(600),
    pytest.mark.skipif(not is_installed(), reason="redis-server is not installed"),
]

LEASE = Settings().lease_seconds
PLAYED_AGAIN_SECONDS = LEASE + 5
REFILLED_SECONDS = 5
LONG = Pace(pause_ms=40)


@pytest.fixture
def arena(tmp_path: Path, image_folder: Path) -> Iterator[Rig]:
    with rig.running(tmp_path / "arena", image_folder, None, lease_seconds=LEASE) as running:
        yield running


def test_matches_of_a_killed_worker_are_played_again(arena: Rig, report: Report) -> None:
    cup = cups.begin(arena.store, "worker", LONG)
    playing: list[int] = []

    def both_play() -> bool:
        playing[:] = [row.id for row in cups.match_rows_of(arena.store, cup) if row.state == "leased"]
        return len(playing) == rig.SLOTS

    eventually(both_play, 60, "two matches")
    kill(arena.part("play"), signal.SIGKILL)
    took = timed(lambda: all(field.state_of(arena.store, match_id).attempt == 2 for match_id in playing))
    report.measured.append(Measured("a killed worker's matches are played again", PLAYED_AGAIN_SECONDS, took))
    checks.assert_as_if_undisturbed(arena, cup)
    assert took <= PLAYED_AGAIN_SECONDS


def test_a_flushed_queue_is_filled_again(arena: Rig, report: Report) -> None:
    """Both processes are at work on their last match; what waits behind, was in Redis alone."""
    cup = cups.begin(arena.store, "queue", LONG)

    def waits() -> bool:
        return bool(arena.queue.llen("play"))

    eventually(waits, 60, "messages that wait")
    arena.queue.flushall()
    done = finished(arena, cup.id)
    took = timed(lambda: waits() or finished(arena, cup.id) > done + rig.SLOTS)
    report.measured.append(Measured("an emptied queue has messages again", REFILLED_SECONDS, took))
    checks.assert_as_if_undisturbed(arena, cup)
    assert took <= REFILLED_SECONDS


def timed(is_so: Callable[[], bool]) -> float:
    began = time.monotonic()
    eventually(is_so, 120, "recovery")
    return time.monotonic() - began


def finished(arena: Rig, tournament_id: int) -> int:
    with arena.store.read() as tx:
        rows = tx.execute(field.select(field.matches.c.state).where(field.matches.c.tournament_id == tournament_id))
        return sum(row.state == "finished" for row in rows)
