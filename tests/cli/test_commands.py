"""The command line as such: it answers at once, explains itself, and counts."""

import json
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import arena as arena_package
from arena import games
from arena.cli.commands import COMMANDS, OnDemand
from arena.cli.perft import set_ups
from tests.cli.conftest import WIDTH, Arena, environment_of

SLOW_IMPORTS = (
    "sqlalchemy",
    "alembic",
    "flask",
    "flask_smorest",
    "marshmallow",
    "celery",
    "redis",
    "requests",
    "rich",
    "pydantic",
    "multiprocessing",
    "arena.games",
    "arena.cli.play",
)


def test_help_starts_without_what_only_some_commands_need() -> None:
    code = """if True:
        import atexit, sys
        from arena.cli.main import main
        slow = sys.argv[1:]
        atexit.register(lambda: print([name for name in slow if name in sys.modules]))
        sys.argv = ["arena", "--help"]
        main()
    """
    done = subprocess.run([sys.executable, "-c", code, *SLOW_IMPORTS], capture_output=True, text=True, check=True)

    assert "play" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_overview_says_of_each_command_what_its_own_help_begins_with() -> None:
    found = {name: command.get_short_help_str(1000) for name, command in OnDemand().items()}

    assert found == {name: listed.help for name, listed in COMMANDS.items()}


@pytest.mark.parametrize("width", [40, 80])
def test_help_fits_the_screen(arena_here: Arena, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setitem(WIDTH, "COLUMNS", str(width))
    for words in commands(arena_here):
        lines = arena_here(*words, "--help").stdout.split("\n  Example")[0].splitlines()
        assert [line for line in lines if len(line) > width] == [], words


def test_a_command_that_is_mistyped_is_guessed(arena_here: Arena) -> None:
    assert "Did you mean 'play'" in arena_here("pley").stderr


def test_the_version_is_told(arena_here: Arena) -> None:
    assert arena_here("--version").stdout == f"arena {arena_package.__version__}\n"


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


def test_what_nobody_can_count_is_refused(arena_here: Arena) -> None:
    refused = arena_here("perft", "omweso:setup=free", "1")

    assert refused.returncode == 2
    assert "662,922,114,789 ways" in refused.stderr
    counted = json.loads(arena_here("perft", "omweso:setup=free,setup_cap=2", "2", "--json").stdout)
    assert counted["by_depth"] == [1, 1]


def test_set_ups_are_as_many_as_there_are() -> None:
    for pits, seeds, cap in [(3, 5, 2), (4, 6, 3), (2, 3, 3)]:
        listed = [way for way in product(range(cap + 1), repeat=pits) if sum(way) == seeds]
        assert set_ups(pits, seeds, cap) == len(listed)


def test_perft_interrupted_keeps_what_it_has_counted(tmp_path: Path) -> None:
    counting = subprocess.Popen(
        [sys.executable, "-c", "from arena.cli.main import main; main()", "perft", "oware", "40"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment_of(tmp_path),
    )
    assert counting.stdout is not None
    assert counting.stdout.readline().split() == ["1", "6"]
    counting.send_signal(signal.SIGINT)
    _, told = counting.communicate(timeout=60)

    assert counting.returncode == 130
    assert "Stopped in depth" in told
    assert "counted in" in told
    assert "Traceback" not in told
