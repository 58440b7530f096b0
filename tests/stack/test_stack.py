"""A whole arena on one machine: side by side with others, in any folder, and gone without a trace."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import requests

from arena.cli.private_redis import HOST
from arena.cli.stack import Plan, Stack
from arena.errors import StackFailed
from tests.support.processes import eventually, marked
from tests.support.redis_server import is_installed

pytestmark = [
    pytest.mark.services, pytest.mark.slow, pytest.mark.timeout(600),
    pytest.mark.skipif(not is_installed(), reason="redis-server is not installed"),
]

ROOT = Path(__file__).parents[2]
STARTS_SECONDS = 120
SCRIPT = """
import sys
from pathlib import Path
from arena.cli.stack import Plan, run
run(Plan(Path(sys.argv[1]), workers=1), lambda text: print(text, flush=True))
"""


@pytest.fixture(autouse=True)
def shared_image(image_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SANDBOX_DIR", str(image_folder))


def start_script(folder: Path, prefix: Sequence[str] = ()) -> "subprocess.Popen[str]":
    """A process that has a stack until it is told to stop."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MARK": mark_of(folder)}
    command = [*prefix, sys.executable, "-c", SCRIPT, str(folder)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def mark_of(folder: Path) -> str:
    return f"mark-{folder}-{os.getpid()}"


def until_up(process: "subprocess.Popen[str]") -> list[str]:
    """What it said until it was up."""
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line.strip())
        if "Ctrl-C" in line:
            return said
    raise AssertionError(f"it ended with {process.wait()}: {said}")


def test_two_arenas_side_by_side_in_folders_with_blanks(tmp_path: Path) -> None:
    said: list[str] = []
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        with Stack(Plan(tmp_path / "one arena", port, workers=1), said.append) as one:
            with Stack(Plan(tmp_path / "another arena", port, workers=1), said.append) as other:
                assert len({one.url, other.url, f"http://{HOST}:{port}"}) == 3
                assert one.settings.redis_url != other.settings.redis_url
                for stack in (one, other):
                    assert requests.get(f"{stack.url}/readyz", timeout=5).ok
            assert requests.get(f"{one.url}/healthz", timeout=5).ok
    assert sum("is taken" in line for line in said) == 2


def test_status_and_state_tell_where_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    said: list[str] = []
    with Stack(Plan(folder, 0, workers=1), said.append) as stack:
        state = json.loads((folder / "stack.json").read_text())
        assert state == {"url": stack.url, "redis_url": stack.settings.redis_url, "pid": os.getpid()}
        assert folder.stat().st_mode & 0o077 == 0
        assert (folder / "stack.json").stat().st_mode & 0o077 == 0
        assert (folder / "secret").stat().st_mode & 0o077 == 0
        password = stack.settings.redis_url.split(":")[2].partition("@")[0]
        assert not any(password in command for command in marked(str(folder)).values())
        assert any(stack.url in line for line in said)
    assert not (folder / "stack.json").exists()


def test_one_folder_holds_one_arena(tmp_path: Path) -> None:
    with Stack(Plan(tmp_path / "data", 0, workers=1), print):
        second = Stack(Plan(tmp_path / "data", 0, workers=1), print)
        with pytest.raises(StackFailed, match="already runs in"):
            second.start()
        second.stop()
        assert (tmp_path / "data" / "stack.json").exists()


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StackFailed, match="choose another --data"):
        Stack(Plan(tmp_path / "file" / "data"), print).start()


def test_a_missing_redis_server_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StackFailed, match="apt install redis-server"):
        Stack(Plan(tmp_path / "data"), print).start()


def test_a_bad_setting_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_LEASE_SECONDS", "soon")
    stack = Stack(Plan(tmp_path / "data", 0), print)
    with pytest.raises(StackFailed, match="ARENA_LEASE_SECONDS"):
        stack.start()
    stack.stop()


def test_a_worker_without_a_sandbox_takes_nothing_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_SANDBOX_MIN_TIER", "Z")
    with pytest.raises(StackFailed, match=r"(?s)play ended with exit code 78.*takes no matches.*tier"):
        Stack(Plan(tmp_path / "data", 0, workers=1), print).__enter__()
    assert marked(str(tmp_path / "data")) == {}


def test_sigterm_stops_everything(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with start_script(folder) as process:
        until_up(process)
        assert len(marked(mark_of(folder))) >= 6
        process.terminate()
        assert process.wait(60) == 0
    eventually(lambda: marked(mark_of(folder)) == {}, 5, "nothing is left")


def test_nothing_survives_kill_9_and_it_starts_again_in_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with start_script(folder) as process:
        until_up(process)
        process.kill()
        eventually(lambda: marked(mark_of(folder)) == {}, 15, "nothing is left")
    with Stack(Plan(folder, 0, workers=1), print) as stack:
        assert requests.get(f"{stack.url}/readyz", timeout=5).ok


def test_it_needs_no_root(tmp_path: Path) -> None:
    """As somebody who is not root, by a user namespace: what root owns is theirs, what root may do is not."""
    folder = tmp_path / "data"
    as_somebody = [] if os.geteuid() else ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
    with start_script(folder, as_somebody) as process:
        assert any("site:" in line for line in until_up(process))
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
