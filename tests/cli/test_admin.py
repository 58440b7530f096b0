"""`arena admin` works on an arena that is there, and makes none by looking."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import PASSWORD, Arena

READING = [
    ("rebuild", "--dry-run"),
    ("export", "cup.jsonl", "--tournament", "cup"),
    ("create-admin", "joe"),
    ("ban", "somebody"),
]


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_no_arena_is_said_and_none_is_made(arena_here: Arena, tmp_path: Path, words: tuple[str, ...]) -> None:
    before = sorted(tmp_path.iterdir())
    done = arena_here("admin", *words)

    assert done.returncode == 2
    assert "there is no arena in .arena" in done.stderr
    assert "--data" in done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_another_folder_is_named_as_for_up(arena_here: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(tmp_path / "there")
    assert arena_here("admin", "migrate", "--data", folder).returncode == 0
    assert arena_here("admin", "create-admin", "joe", "--data", folder, stdin=f"{PASSWORD}\n").returncode == 0
    assert arena_here("admin", "ban", "joe", "--data", folder).returncode == 0
    assert arena_here("admin", "rebuild", "--dry-run").returncode == 2
    monkeypatch.setenv("ARENA_DATA_DIR", folder)
    done = arena_here("admin", "rebuild", "--dry-run", "--json")

    assert json.loads(done.stdout)["is_exact"]
    assert not (tmp_path / ".arena").exists()


def test_a_database_of_the_environment_that_is_missing_is_called_so(
    arena_here: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_DATABASE_URL", f"sqlite:///{tmp_path}/gone.sqlite3")
    done = arena_here("admin", "rebuild")

    assert done.returncode == 2
    assert "gone.sqlite3 of ARENA_DATABASE_URL is missing" in done.stderr
    monkeypatch.setenv("ARENA_DATABASE_URL", "nonsense")
    assert "is no database URL" in arena_here("admin", "rebuild").stderr


def test_help_names_what_the_environment_may_say(arena_here: Arena) -> None:
    told = arena_here("admin", "--help").stdout

    assert "ARENA_DATABASE_URL" in told
    assert "ARENA_REDIS_URL" in told
