"""`arena doctor`: what a person and a program are told of this machine."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

pytestmark = pytest.mark.services


def test_doctor_proves_this_machine(arena: Arena) -> None:
    done = arena("doctor", "--json")
    report = json.loads(done.stdout)

    assert done.returncode == 0, done.stdout
    assert report["ok"] is True
    assert report["tier"] in ("A", "B")
    assert all(check["ok"] for check in report["checks"])


def test_a_worker_whose_queue_is_elsewhere_needs_no_redis_server(arena: Arena, tmp_path: Path) -> None:
    assert "FAIL  queue" in arena("doctor", env={"PATH": str(tmp_path)}).stdout

    done = arena("doctor", env={"PATH": str(tmp_path), "ARENA_REDIS_URL": "redis://:secret@redis:6379/0"})
    assert "ok    queue" in done.stdout
    assert "redis-server is missing" not in done.stdout
    assert "secret" not in done.stdout


def test_doctor_says_what_is_missing_and_how_to_get_it(arena: Arena, tmp_path: Path) -> None:
    done = arena("doctor", env={"PATH": str(tmp_path)})

    assert done.returncode == 1
    assert "bubblewrap (the program bwrap) is missing" in done.stdout
    assert "apt-get install bubblewrap" in done.stdout
    assert "redis-server is missing" in done.stdout
    assert "No bot may run here" in done.stdout
