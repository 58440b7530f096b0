"""Fair time, and deadlines in it, on scripted clocks and on real processes."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.match.turn import Timing
from arena.sandbox.fair_time import Deadline, FairClock, Moment

MS = 1_000_000      # nanoseconds


class ScriptedClock(FairClock):
    """Reads what the test says: (wall, cpu, waited, host_waited) in milliseconds, then the last of them for ever."""

    napped = 0

    def __init__(self, *readings: tuple[float, ...], in_line: bool = False) -> None:
        super().__init__(os.getpid())
        self._readings = [Moment(*(int(part * MS) for part in reading)) for reading in readings]
        self._is_in_line = in_line

    def read(self) -> Moment:
        return self._readings.pop(0) if len(self._readings) > 1 else self._readings[0]

    def is_in_line(self) -> bool:
        return self._is_in_line

    def naps(self) -> int:
        return self.napped


START = Moment(0, 0, 0)


def test_time_in_line_is_not_charged() -> None:
    clock = FairClock(os.getpid())
    assert clock.timing(START, Moment(100 * MS, 30 * MS, 60 * MS)) == Timing(40_000, 100_000, 30_000, 60_000)


def test_an_answer_that_lay_there_while_the_host_stood_in_line_was_not_late() -> None:
    clock = FairClock(os.getpid())
    assert clock.timing(START, Moment(100 * MS, 30 * MS, 20 * MS, 40 * MS)) == Timing(40_000, 100_000, 30_000, 60_000)


def test_the_hosts_wait_makes_no_work_free() -> None:
    clock = FairClock(os.getpid())
    assert clock.timing(START, Moment(100 * MS, 90 * MS, 0, 80 * MS)) == Timing(90_000, 100_000, 90_000, 10_000)


def test_at_least_the_processor_time_is_charged() -> None:
    clock = FairClock(os.getpid())
    assert clock.timing(START, Moment(100 * MS, 70 * MS, 60 * MS)).charged_us == 70_000


def test_without_a_queue_count_a_third_of_the_wall_is_charged() -> None:
    clock = FairClock(2**22 + 1)        # no process has this number
    assert clock.timing(START, Moment(90 * MS, 10 * MS, 0)).charged_us == 30_000
    assert clock.timing(START, Moment(90 * MS, 80 * MS, 0)).charged_us == 80_000


def test_the_clock_of_a_process_that_ended_stands_still() -> None:
    child = subprocess.Popen([sys.executable, "-S", "-c", "sum(range(10**6)); input()"], stdin=subprocess.PIPE)
    clock = FairClock(child.pid)
    while clock.read().cpu < MS:
        time.sleep(0.01)
    child.communicate(b"\n")
    once, again = clock.read(), clock.read()
    clock.close()
    clock.close()
    assert (once.cpu, once.waited) == (again.cpu, again.waited)
    assert once.cpu >= MS


class ScriptedTime:
    """A machine whose clocks move when the test says so, in microseconds; what it counts of waits lies in a file."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._queue = folder / "schedstat"
        self._wall = self._cpu = self._waited = 0
        self.passes()
        patch.setattr(time, "monotonic_ns", self.monotonic_ns)
        patch.setattr(time, "clock_gettime_ns", self.clock_gettime_ns)
        with patch.context() as while_opening:
            real = os.open
            while_opening.setattr(os, "open", lambda path, flags: real(self._queue, flags))
            self.clock = FairClock(1)

    def passes(self, wall: int = 0, cpu: int = 0, waited: int = 0) -> None:
        self._wall, self._cpu, self._waited = self._wall + wall, self._cpu + cpu, self._waited + waited
        self._queue.write_text(f"0 {self._waited * 500} 0\n")      # half of it the bot's, half the host's

    def monotonic_ns(self) -> int:
        return self._wall * 1000

    def clock_gettime_ns(self, clock: int) -> int:
        return self._cpu * 1000

    def request(self, wall: int, cpu: int, waited: int = 0) -> Timing:
        self.clock.begin()
        self.passes(wall, cpu, waited)
        return self.clock.end()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedTime]:
    machine = ScriptedTime(tmp_path, monkeypatch)
    yield machine
    machine.clock.close()


def test_a_quick_answer_is_charged_its_processor_time(machine: ScriptedTime) -> None:
    assert machine.request(wall=60, cpu=10) == Timing(10, 60, 10, 50)
    assert machine.request(wall=60, cpu=10, waited=45) == Timing(10, 60, 10, 50)


def test_a_slower_one_is_charged_all_but_its_waits(machine: ScriptedTime) -> None:
    assert machine.request(wall=61, cpu=10) == Timing(61, 61, 10, 0)
    assert machine.request(wall=1000, cpu=10, waited=900) == Timing(100, 1000, 10, 900)


def test_what_is_used_in_a_short_rest_is_charged_with_the_next_answer(machine: ScriptedTime) -> None:
    machine.request(wall=20, cpu=10)
    machine.passes(wall=200, cpu=200)
    assert machine.request(wall=20, cpu=10) == Timing(210, 20, 210, 0)


def test_what_is_used_in_a_longer_rest_is_not(machine: ScriptedTime) -> None:
    machine.request(wall=20, cpu=10)
    machine.passes(wall=300, cpu=300)
    assert machine.clock.begin() == 300_000
    machine.passes(wall=20, cpu=10)
    assert machine.clock.end() == Timing(10, 20, 10, 10)


def test_many_short_rests_do_not_let_waits_of_long_ago_count(machine: ScriptedTime) -> None:
    for _ in range(100):
        machine.request(wall=60, cpu=10, waited=40)
    assert machine.request(wall=5000, cpu=10).charged_us >= 5000 - 1000


def test_a_deadline_is_as_far_as_the_fair_time_left() -> None:
    deadline = Deadline(ScriptedClock((60, 10, 40)), START, 100_000)
    assert deadline.seconds_left() == pytest.approx(0.081)
    assert deadline.seconds_spent() == pytest.approx(0.060)


def test_at_the_limit_there_is_one_moment_of_grace() -> None:
    deadline = Deadline(ScriptedClock((100, 100, 0), (120, 120, 0)), START, 100_000)
    assert 0 < deadline.seconds_left() <= 0.02
    assert deadline.seconds_left() == 0


def test_a_wait_that_ends_in_the_moment_of_grace_moves_the_deadline() -> None:
    clock = ScriptedClock((100, 10, 0), (120, 10, 105), in_line=True)
    deadline = Deadline(clock, START, 100_000)
    assert 0 < deadline.seconds_left() <= 0.02
    assert deadline.seconds_left() == pytest.approx(0.086)


def test_who_stands_in_line_without_moving_is_not_over_its_time() -> None:
    deadline = Deadline(ScriptedClock((100, 10, 0), (200, 10, 0), (300, 10, 0), in_line=True), START, 100_000)
    assert all(deadline.seconds_left() > 0 for _ in range(3))


def test_who_sleeps_is() -> None:
    deadline = Deadline(ScriptedClock((100, 10, 0), (120, 10, 0), in_line=False), START, 100_000)
    assert deadline.seconds_left() > 0
    assert deadline.seconds_left() == 0


@pytest.mark.parametrize(
    ("reading", "is_starved"),
    [
        ((31_100, 100, 31_050), True),
        ((29_000, 100, 28_900), False),
        ((40_000, 10_000, 30_000), False),      # it had a quarter of a processor and used it
        ((140_000, 10_000, 130_001), True),
    ],
)
def test_half_a_minute_in_line_is_the_machines_fault(reading: tuple[float, float, float], is_starved: bool) -> None:
    deadline = Deadline(ScriptedClock(reading), START, 10**9)
    deadline.seconds_left()
    assert deadline.is_starved() is is_starved


def test_a_wait_that_has_not_ended_counts_too() -> None:
    deadline = Deadline(ScriptedClock((40_000, 10, 0), in_line=True), START, 100_000)
    deadline.seconds_left()
    assert deadline.is_starved()


def test_what_the_host_waits_while_there_is_no_answer_moves_nothing() -> None:
    clock = ScriptedClock((60, 10, 0, 50), (110, 10, 0, 100), (130, 10, 0, 120))
    deadline = Deadline(clock, START, 100_000)
    assert deadline.seconds_left() == pytest.approx(0.041)
    assert 0 < deadline.seconds_left() <= 0.02
    assert deadline.seconds_left() == 0


def test_what_the_host_waits_before_there_is_an_answer_is_charged(machine: ScriptedTime) -> None:
    machine.clock.begin()
    machine.passes(wall=1000, waited=800)
    machine.clock.look()
    machine.passes(wall=500, waited=400)
    assert machine.clock.end() == Timing(700, 1500, 0, 800)     # own waits of 400 and 200, of the host's the last 200


def test_what_the_host_does_meanwhile_moves_the_deadline_by_just_that() -> None:
    clock = ScriptedClock((60, 10, 0), (560, 10, 0, 300), (570, 10, 0, 300), (600, 10, 0, 310), (620, 10, 0, 310))
    deadline = Deadline(clock, START, 100_000)
    assert deadline.seconds_left() == pytest.approx(0.041)
    deadline.excuse()
    assert deadline.seconds_left() == pytest.approx(0.031)
    assert 0 < deadline.seconds_left() <= 0.02
    assert deadline.seconds_left() == 0


def test_what_the_host_does_meanwhile_is_not_charged(machine: ScriptedTime) -> None:
    machine.clock.begin()
    machine.passes(wall=1000, cpu=10)
    since = machine.clock.look()
    machine.passes(wall=5000, waited=800)
    machine.clock.excuse(since)
    machine.passes(wall=2000)
    assert machine.clock.end() == Timing(2600, 8000, 10, 5400)      # the host's wait of 400 is part of the 5000
    assert machine.request(wall=1000, cpu=10) == Timing(1000, 1000, 10, 0)


def test_the_hosts_doings_make_no_work_free(machine: ScriptedTime) -> None:
    machine.clock.begin()
    since = machine.clock.look()
    machine.passes(wall=5000, cpu=4000)
    machine.clock.excuse(since)
    assert machine.clock.end() == Timing(4000, 5000, 4000, 1000)


def test_who_lies_down_again_and_again_is_not_starved() -> None:
    clock = ScriptedClock((31_100, 100, 31_050))
    deadline = Deadline(clock, START, 10**9)
    deadline.seconds_left()
    clock.napped = 101
    assert not deadline.is_starved()


def test_naps_are_counted() -> None:
    clock = FairClock(os.getpid())
    before = clock.naps()
    for _ in range(20):
        time.sleep(0.001)
    assert clock.naps() >= before + 20
    clock.close()


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen([sys.executable, "-S", "-c", "print(flush=True); input()"], stdin=-1, stdout=-1)
    assert child.stdout is not None
    child.stdout.readline()
    yield child
    child.communicate(b"\n")


def test_who_waits_for_input_is_not_in_line(sleeper: subprocess.Popen[bytes]) -> None:
    clock = FairClock(sleeper.pid)
    time.sleep(0.05)
    assert not clock.is_in_line()
    clock.close()


def test_who_computes_is() -> None:
    clock = FairClock(os.getpid())
    assert clock.is_in_line()
    clock.close()
