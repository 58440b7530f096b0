"""The command line as such: it answers at once, explains itself, and counts."""

import json
import subprocess
import sys
from typing import Any

import pytest

from arena import games
from tests.cli.conftest import Arena

SLOW_IMPORTS = (
    "sqlalchemy",
    "alembic",
    "flask",
    "flask_smorest",
    "marshmallow",
    "celery",
    "redis",
    "requests",
    "arena.games",
)


def test_help_starts_without_what_only_some_commands_need() -> None:
    code = "import sys, arena.cli.main; print([name for name in sys.argv[1:] if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code, *SLOW_IMPORTS], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def commands(arena: Arena) -> list[list[str]]:
    """Every command, as words."""
    from typer.main import get_command

    from arena.cli.main import app

    found: list[list[str]] = []

    def walk(command: Any, words: list[str]) -> None:
        found.append(words)
        for name, inner in getattr(command, "commands", {}).items():
            walk(inner, [*words, name])

    walk(get_command(app), [])
    return found


def test_every_command_explains_itself(arena_here: Arena) -> None:
    for words in commands(arena_here):
        done = arena_here(*words, "--help")
        assert done.returncode == 0
        assert "Usage: arena" in done.stdout


def test_games_lists_every_game_with_options_formats_and_time_controls(arena_here: Arena) -> None:
    listed = json.loads(arena_here("games", "--json").stdout)

    assert [game["name"] for game in listed["games"]] == list(games.names())
    assert all(game["default_format"] for game in listed["games"])
    assert "quick" in listed["time_controls"]
    text = arena_here("games").stdout
    assert all(name in text for name in (*games.names(), *listed["formats"], *listed["time_controls"]))


@pytest.mark.parametrize(("ruleset", "depth", "count"), [("oware", 3, 190), ("oware", 1, 6)])
def test_perft_counts(arena_here: Arena, ruleset: str, depth: int, count: int) -> None:
    assert json.loads(arena_here("perft", ruleset, str(depth), "--json").stdout)["count"] == count
    assert arena_here("perft", ruleset, str(depth)).stdout.split()[-1] == str(count)


def test_output_that_nobody_reads_any_more_is_no_failure_to_shout_about() -> None:
    done = subprocess.run(
        f"{sys.executable} -c 'from arena.cli.main import main; main()' games --json | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.stdout, done.stderr) == ("{\n", "")


def test_perft_counts_nsolo_with_the_default_bonus(arena_here: Arena) -> None:
    counted = json.loads(arena_here("perft", "nsolo", "4", "--default-bonus", "--json").stdout)
    assert counted["by_depth"] == [15, 209, 1775, 16037]
    refused = arena_here("perft", "oware", "1", "--default-bonus")
    assert refused.returncode == 2
    assert "nsolo alone" in refused.stderr
