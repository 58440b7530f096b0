"""What ends the command line also ends all that it has started, however it is ended."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from arena.sandbox.stop_signals import Stopped, held_back, unwinding
from tests.cli.conftest import environment_of
from tests.support.processes import children_of, eventually, marked

STUCK = """
import time
from pathlib import Path


def choose_move(position):
    Path({folder!r}, "thinking").touch()
    while True:
        time.sleep(600)
"""
ENDINGS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)]
UNSAFE = {
    "play": ("play", "oware", "stuck.py", "random", "--unsafe", "--time-control", "60000+0"),
    "tournament": (
        "tournament", "run", "oware", "stuck.py", "random", "greedy", "--unsafe", "--time-control", "60000+0",
        "--workers", "2",
    ),
}  # fmt: skip
SANDBOXED = {
    "play": ("play", "oware", "random", "random"),
    "tournament": ("tournament", "run", "oware", "random", "greedy", "minimax", "--workers", "2"),
}
Begin = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """`begin("play", …)` starts the command in the background; what is left of it in the end is killed."""
    (tmp_path / "stuck.py").write_text(STUCK.format(folder=str(tmp_path)))
    started = []

    def run(*words: str, told: "IO[bytes] | int" = subprocess.DEVNULL) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [sys.executable, "-c", "from arena.cli.main import main; main()", *words],
            cwd=tmp_path,
            env=environment_of(tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=told,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait()
    for pid in marked(str(tmp_path)):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(("number", "code"), ENDINGS)
@pytest.mark.parametrize("what", UNSAFE)
def test_bots_without_a_sandbox_end_with_the_command(
    begin: Begin, tmp_path: Path, what: str, number: int, code: int
) -> None:
    command = begin(*UNSAFE[what])
    eventually((tmp_path / "thinking").exists, 60, "a bot thinks")
    command.send_signal(number)

    assert command.wait(60) == code
    eventually(lambda: not marked(str(tmp_path)), 30, "nothing of it is left")


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("play", r"Stopped after 0 games; nothing is kept\. The same match again: --seed \w{64}"),
        ("tournament", r"Stopped after [01] of 3 matches; nothing is kept\. The same tournament again: --seed \w{64}"),
    ],
)
def test_who_interrupts_is_told_what_was_played(begin: Begin, tmp_path: Path, what: str, says: str) -> None:
    with (tmp_path / "told").open("wb") as file:
        command = begin(*UNSAFE[what], told=file)
    eventually((tmp_path / "thinking").exists, 60, "a bot thinks")
    command.send_signal(signal.SIGINT)

    assert command.wait(60) == 130
    *before, last = (tmp_path / "told").read_text().splitlines()
    assert re.fullmatch(says, last)
    assert not [line for line in before if "matches are played" not in line], before


@pytest.mark.services
@pytest.mark.parametrize(("number", "code"), ENDINGS)
@pytest.mark.parametrize("what", SANDBOXED)
def test_a_command_ended_while_its_sandboxes_start_leaves_none(begin: Begin, what: str, number: int, code: int) -> None:
    command = begin(*SANDBOXED[what])
    eventually(lambda: descendants_called(command.pid, "bwrap"), 60, "a sandbox starts")
    started = descendants_called(command.pid, "")
    command.send_signal(number)

    assert command.wait(60) == code
    eventually(lambda: not [pid for pid in started if is_alive(pid)], 30, "nothing of it is left")


def test_what_is_ignored_stays_ignored(tmp_path: Path) -> None:
    code = (
        "import os, signal; from arena.sandbox.stop_signals import unwinding\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with unwinding(): os.kill(os.getpid(), signal.SIGHUP)\n"
        "print('goes on')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "goes on\n"


def test_a_signal_waits_until_what_is_started_is_owned() -> None:
    done = []

    def start() -> None:
        with held_back():
            os.kill(os.getpid(), signal.SIGTERM)
            done.append("started")
        done.append("went on")

    with unwinding(), pytest.raises(Stopped) as stopped:
        start()
    assert done == ["started"]
    assert stopped.value.code == 143


def test_a_signal_sent_twice_does_not_disturb_the_end() -> None:
    done = []

    def end() -> None:
        try:
            os.kill(os.getpid(), signal.SIGHUP)
        finally:
            os.kill(os.getpid(), signal.SIGHUP)
            done.append("ended")

    with unwinding(), pytest.raises(Stopped):
        end()
    assert done == ["ended"]


def descendants_called(pid: int, name: str) -> list[int]:
    """The children of a process, and theirs, that run a program of this name; any, when there is no name."""
    found = []
    for child in children_of(pid):
        if not name or called(child) == name:
            found.append(child)
        found += descendants_called(child, name)
    return found


def called(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def is_alive(pid: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
