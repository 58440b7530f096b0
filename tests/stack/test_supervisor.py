"""The supervisor on programs of a line each: order, restarts, hopeless cases, and nothing left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli.supervisor import Program, Step, Supervisor
from arena.errors import StackFailed
from tests.support.processes import eventually, marked

ROOT = Path(__file__).parents[2]


@pytest.fixture
def mark(tmp_path: Path) -> str:
    """In the environment of everything that a test starts."""
    return f"mark-of-{tmp_path.name}-{os.getpid()}"


def program(tmp_path: Path, mark: str, script: str, name: str = "one", **changes: object) -> Program:
    """A program that writes its name to `begun` when it begins; `script` runs after that."""
    values: dict[str, object] = {
        "name": name,
        "command": ["sh", "-c", f"echo {name} >> begun; {script}"],
        "environment": {"PATH": os.environ["PATH"], "MARK": mark},
        "folder": tmp_path,
        "log": tmp_path / f"{name}.log",
        "is_ready": lambda pid: True,
        "ready_seconds": 10.0,
        "stop_seconds": 5.0,
    }
    return Program(**(values | changes))  # type: ignore[arg-type]


def lines(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []


def supervised(steps: list[list[Step]], said: list[str] | None = None) -> Supervisor:
    return Supervisor(steps, (said if said is not None else []).append)


SLEEP = "exec sleep 60"
TELL_THE_END = 'trap "echo $0 >> ended; exit 0" TERM; while :; do sleep 0.05; done'


def test_programs_start_in_order_and_stop_in_the_opposite_one(tmp_path: Path, mark: str) -> None:
    ready: Callable[[str], Callable[[int], bool]] = lambda name: lambda pid: name in lines(tmp_path / "begun")  # noqa: E731
    steps: list[list[Step]] = [
        [program(tmp_path, mark, TELL_THE_END.replace("$0", name), name, is_ready=ready(name))] for name in "abc"
    ]
    supervisor = supervised(steps)
    supervisor.start()
    assert lines(tmp_path / "begun") == ["a", "b", "c"]
    supervisor.stop()
    assert lines(tmp_path / "ended") == ["c", "b", "a"]
    assert marked(mark) == {}


def test_folders_that_somebody_removed_are_made_again_for_the_next_start(tmp_path: Path, mark: str) -> None:
    data, logs = tmp_path / "data", tmp_path / "logs"
    script = f"rm -r {data} {logs}; [ $(wc -l < begun) = 1 ] || {SLEEP}"
    supervisor = supervised([[program(tmp_path, mark, script, needs_folder=data, log=logs / "one.log")]])
    supervisor.start()
    try:
        eventually(lambda: lines(tmp_path / "begun") == ["one", "one"], 10, "it was started again")
    finally:
        supervisor.stop()


def test_what_exits_is_started_again(tmp_path: Path, mark: str) -> None:
    said: list[str] = []
    supervisor = supervised([[program(tmp_path, mark, SLEEP)]], said)
    supervisor.start()
    eventually(lambda: lines(tmp_path / "begun") == ["one"], 10, "it begins")
    first = supervisor.processes()["one"]
    os.kill(first, signal.SIGKILL)
    eventually(lambda: len(lines(tmp_path / "begun")) == 2, 10, "it begins again")
    assert supervisor.processes()["one"] != first
    assert "exit code -9" in said[0]
    supervisor.stop()
    assert marked(mark) == {}


def test_what_keeps_exiting_is_started_ever_more_slowly(tmp_path: Path, mark: str) -> None:
    supervisor = supervised([[program(tmp_path, mark, "exit 1")]])
    supervisor.start()
    time.sleep(3)
    supervisor.stop()
    assert 2 <= len(lines(tmp_path / "begun")) <= 4         # after 0.5, 1.5 and 3.5 s


def test_what_is_hopeless_ends_everything_and_says_why(tmp_path: Path, mark: str) -> None:
    other = program(tmp_path, mark, SLEEP, "other")
    hopeless = program(tmp_path, mark, "sleep 0.5; echo no sandbox here >&2; exit 78", hopeless=78)
    supervisor = supervised([[other], [hopeless]])
    supervisor.start()
    with pytest.raises(StackFailed, match=r"one cannot go on(?s:.*)no sandbox here"):
        supervisor.wait()
    assert marked(mark) == {}


def test_what_does_not_come_up_fails_the_start(tmp_path: Path, mark: str) -> None:
    other = program(tmp_path, mark, SLEEP, "other")
    never = program(tmp_path, mark, SLEEP, is_ready=lambda pid: False, ready_seconds=0.3)
    with pytest.raises(StackFailed, match=r"one was not ready after 0.3 s"):
        supervised([[other], [never]]).start()
    broken = program(tmp_path, mark, "echo cannot bind; exit 3", is_ready=lambda pid: False)
    with pytest.raises(StackFailed, match=r"exit code 3(?s:.*)cannot bind"):
        supervised([[other], [broken]]).start()
    assert marked(mark) == {}


def test_a_step_that_fails_fails_the_start(tmp_path: Path, mark: str) -> None:
    def fail() -> None:
        raise StackFailed("no database")

    with pytest.raises(StackFailed, match="no database"):
        supervised([[program(tmp_path, mark, SLEEP)], [fail]]).start()
    assert marked(mark) == {}


def test_what_does_not_heed_is_killed_with_its_children(tmp_path: Path, mark: str) -> None:
    deaf = program(tmp_path, mark, 'trap "" TERM; sleep 60 & sleep 60; sleep 60', stop_seconds=0.5)
    supervisor = supervised([[deaf]])
    supervisor.start()
    eventually(lambda: len(marked(mark)) >= 3, 10, "it has its children")
    supervisor.stop()
    assert marked(mark) == {}


def test_standard_input_is_given_anew_at_every_start(tmp_path: Path, mark: str) -> None:
    reads = program(tmp_path, mark, "cat >> given; exec sleep 60", standard_input=b"secret\n")
    supervisor = supervised([[reads]])
    supervisor.start()
    eventually(lambda: lines(tmp_path / "given") == ["secret"], 10, "it has read")
    os.kill(supervisor.processes()["one"], signal.SIGKILL)
    eventually(lambda: lines(tmp_path / "given") == ["secret", "secret"], 10, "it has read again")
    supervisor.stop()


def test_nothing_survives_the_death_of_the_supervisor(tmp_path: Path, mark: str) -> None:
    script = f"""
import os, sys, pathlib
sys.path.insert(0, {str(ROOT)!r})
from arena.cli.supervisor import Program, Supervisor
folder = pathlib.Path({str(tmp_path)!r})
programs = [Program(name, ["sleep", "60"], dict(os.environ), folder, folder / "log", lambda pid: True) for name in "ab"]
supervisor = Supervisor([programs], print)
supervisor.start()
print("up", flush=True)
supervisor.wait()
"""
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, env=os.environ | {"MARK": mark}, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"up\n"
        assert len(marked(mark)) == 3
        parent.kill()
        eventually(lambda: marked(mark) == {}, 5, "everything is gone")
