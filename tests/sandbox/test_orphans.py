"""A sandbox given up while it starts, or whose worker is killed then, leaves no process that nobody would end."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from arena.sandbox.child_process import ChildProcess
from arena.sandbox.player import Sandbox
from tests.sandbox.bots import FIRST_LEGAL, first_move

pytestmark = [pytest.mark.services, pytest.mark.usefixtures("no_process_left")]

ROOT = Path(__file__).parents[2]
KILLED = 40
# Forks workers that start a sandbox each and are killed in the middle of it, a little later every time.
PROGRAM = f"""
import os, signal, sys, time
from pathlib import Path
from arena.sandbox import image
from arena.sandbox.launch import BwrapLauncher
from arena.sandbox.limits import Limits
from arena.sandbox.tools import find_bwrap, find_setpriv

built = image.prepare(Path(sys.argv[1]))
for number in range({KILLED}):
    told, telling = os.pipe()
    worker = os.fork()
    if worker == 0:
        launcher = BwrapLauncher(built, Limits(), find_bwrap(), find_setpriv())
        os.write(telling, b"1")
        started = launcher.start()
        time.sleep(60)
        os._exit(0)
    os.read(told, 1)
    time.sleep(number / {KILLED} * 0.02)
    os.kill(worker, signal.SIGKILL)
    os.waitpid(worker, 0)
    os.close(told)
    os.close(telling)
"""


def test_a_sandbox_given_up_while_it_starts_leaves_no_process(sandbox: Sandbox, image_dir: Path) -> None:
    for number in range(60):                # wherever in its start the end finds it
        starting = ChildProcess(sandbox._pool._launcher.start())
        time.sleep(number / 5_000)
        starting.end()
    assert_no_orphans(image_dir)


def test_a_worker_killed_while_a_sandbox_starts_leaves_no_process(sandbox: Sandbox, image_dir: Path) -> None:
    subprocess.run([sys.executable, "-c", PROGRAM, str(image_dir)], check=True, cwd=ROOT)
    assert_no_orphans(image_dir)


def test_a_guard_that_was_killed_is_replaced(image_dir: Path, sandbox: Sandbox) -> None:
    one = Sandbox(image_dir, ready=0)
    try:
        guard = one._pool._launcher._guard                          # type: ignore[attr-defined]
        first = guard.group()
        os.kill(first, signal.SIGKILL)
        os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
        assert first_move(one.open_player, FIRST_LEGAL)[0].moves == (0,)
        assert guard.group() != first
    finally:
        one.close()


def assert_no_orphans(image_dir: Path) -> None:
    """None may stay; what ends by itself gets the time it needs on a busy machine."""
    give_up = time.monotonic() + 10
    while orphans := orphans_of(image_dir):
        assert time.monotonic() < give_up, f"nobody watches {orphans}"
        time.sleep(0.05)


def orphans_of(image_dir: Path) -> list[int]:
    """Sandboxes on this image that nobody watches any more."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (folder / "cmdline").read_bytes()
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if parent == "1" and str(image_dir).encode() in words:
                found.append(int(folder.name))
    return found
