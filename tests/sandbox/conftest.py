"""Real sandboxes.  A test is skipped only where the machine cannot have one, and says what it lacks."""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import SandboxUnavailable
from arena.sandbox.player import Sandbox
from arena.sandbox.tools import find_bwrap, find_setpriv
from arena.sandbox.traces import Traces
from tests.support.folders import folder_of_all


def what_is_missing() -> str:
    """Why this machine can have no sandbox at all; empty when it can."""
    try:
        bwrap, setpriv = find_bwrap(), find_setpriv()
    except SandboxUnavailable as error:
        return str(error)
    drop = [str(setpriv), "--reuid", "65534", "--regid", "65534", "--clear-groups"] if setpriv else []
    command = [*drop, str(bwrap), "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--", "true"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"user namespaces are not to be had: {tried.stderr.strip()}" if tried.returncode else ""


MISSING = what_is_missing()


@pytest.fixture(scope="session")
def image_dir() -> Iterator[Path]:
    """A folder with a blank in its name that every user may enter."""
    with folder_of_all("arena test ", 0o755) as folder:
        yield folder


@pytest.fixture(scope="session")
def sandbox(image_dir: Path) -> Iterator[Sandbox]:
    if MISSING:
        pytest.skip(MISSING)
    sandbox = Sandbox(image_dir)
    yield sandbox
    sandbox.close()


@pytest.fixture
def no_process_left(sandbox: Sandbox) -> Iterator[None]:
    """Fails the test when it leaves a process behind, be it a dead one."""
    before = children() - idle(sandbox)
    yield
    assert children() - idle(sandbox) <= before


def children() -> set[int]:
    """The processes whose parent this one is."""
    return {int(word) for word in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}


def held(sandbox: Sandbox, folder: Path) -> Traces:
    """What this process holds besides the sandboxes that wait, which are others every time."""
    sandbox.prepare(lambda: None)
    found = Traces.now(folder)
    return replace(found, processes=found.processes - {str(pid) for pid in idle(sandbox)})


def idle(sandbox: Sandbox) -> set[int]:
    """Those that wait for the next bot."""
    return {child.monitor_pid for child in (*sandbox._pool._ready, *sandbox._pool._booting)}
