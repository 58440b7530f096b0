"""`arena demo`: all of it comes true, and nothing of it stays behind."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from arena import games
from tests.cli.conftest import environment_of, run_arena

pytestmark = [pytest.mark.services, pytest.mark.slow]


def processes_with(mark: str) -> list[int]:
    """Every process whose environment carries this mark: whatever the demo started, however deep."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if mark.encode() in environment:
                found.append(int(entry.name))
    return found


def test_demo_once_shows_all_tables_and_leaves_nothing(tmp_path: Path) -> None:
    mark = f"demo-mark-{tmp_path.name}-{os.getpid()}"
    temporary = tmp_path / "with a blank"
    temporary.mkdir()
    done = run_arena(tmp_path, "demo", "--once", seconds=240, env={"MARK": mark, "TMPDIR": str(temporary)})

    assert done.returncode == 0, done.stdout + done.stderr
    for game in games.names():
        assert f"Round robin of {game}" in done.stdout
        assert f"{game}: 4 rated" in done.stdout
    assert "All read back over HTTP and found right" in done.stderr
    assert processes_with(mark) == []
    assert list(temporary.iterdir()) == []


@pytest.fixture
def demo(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """A demo that is being started, in a group of its own as a shell starts it."""
    process = subprocess.Popen(
        [sys.executable, "-c", "from arena.cli.main import main; main()", "demo"],
        cwd=tmp_path,
        env=environment_of(tmp_path, MARK=mark_of(tmp_path), TMPDIR=str(tmp_path)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    yield process
    if process.poll() is None:
        process.kill()
    process.wait()


def mark_of(folder: Path) -> str:
    return f"demo-mark-{folder.name}-{os.getpid()}"


def address(demo: "subprocess.Popen[str]") -> str:
    """Where the site is, once it is."""
    assert demo.stderr is not None
    for line in demo.stderr:
        if found := re.search(r"site: +(http\S+)", line):
            return found[1]
    raise AssertionError("the demo ended before its site was up")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_demo_leaves_no_process_and_no_file(
    demo: "subprocess.Popen[str]", tmp_path: Path, number: signal.Signals
) -> None:
    url = address(demo)
    assert requests.get(f"{url}/healthz", timeout=5).ok
    os.killpg(demo.pid, number)

    demo.communicate(timeout=60)
    assert demo.returncode in (0, 128 + number)
    assert processes_with(mark_of(tmp_path)) == []
    assert list(tmp_path.glob("arena-demo-*")) == []


def test_killed_demo_leaves_no_process(demo: "subprocess.Popen[str]", tmp_path: Path) -> None:
    address(demo)
    demo.kill()
    demo.wait()

    deadline = time.monotonic() + 30
    while processes_with(mark_of(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes_with(mark_of(tmp_path)) == []


def test_two_demos_run_beside_each_other(demo: "subprocess.Popen[str]", tmp_path: Path) -> None:
    first = address(demo)
    beside = tmp_path / "second"
    beside.mkdir()
    done = run_arena(beside, "demo", "--once", "--game", "oware", seconds=240)

    assert done.returncode == 0, done.stdout + done.stderr
    assert first not in done.stderr
