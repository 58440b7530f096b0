"""Sandboxes come and go by the thousand in the life of a worker; nothing of them may stay."""

import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from arena.sandbox.player import Sandbox
from arena.sandbox.traces import Traces, left_over
from tests.sandbox.bots import FIRST_LEGAL, first_move
from tests.sandbox.conftest import held

CLAIMS = 200
WARM_UP = 20
GROWTH_MB = 2


@pytest.mark.services
def test_two_hundred_claims_leave_nothing(
    sandbox: Sandbox, image_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    one = Sandbox(image_dir)
    try:
        claim(one, WARM_UP)
        before = held(one, tmp_path)
        claim(one, CLAIMS)
        after = held(one, tmp_path)
    finally:
        one.close()
    assert list(left_over(before, after)) == []
    assert after.memory_mb - before.memory_mb <= GROWTH_MB


def test_what_is_left_is_named(tmp_path: Path) -> None:
    before = Traces.now(tmp_path)
    with (
        open(tmp_path / "left", "w") as file,
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process,
    ):
        found = list(left_over(before, Traces.now(tmp_path)))
        process.communicate()
    assert found == [f"the processes {process.pid}", "2 open descriptors", "the files left"]
    file.close()
    os.unlink(tmp_path / "left")
    assert list(left_over(before, Traces.now(tmp_path))) == []


def claim(sandbox: Sandbox, count: int) -> None:
    for _ in range(count):
        assert first_move(sandbox.open_player, FIRST_LEGAL)[0].moves == (0,)


def test_a_mount_left_over_is_named() -> None:
    """Another program may have made it, which only its place can tell."""
    line = "812 29 0:57 / /srv/arena-disk rw,relatime shared:4 - tmpfs arena-disk rw,size=64k"
    before = Traces.now()
    assert list(left_over(before, replace(before, mounts=before.mounts | {line}))) == ["the mounts /srv/arena-disk"]
