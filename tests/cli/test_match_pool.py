"""A local tournament hands out a window of its matches, and keeps little of those that are played."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

from arena.cli import match_pool
from tests.cli.conftest import Arena

WINDOW = 4


def test_never_more_than_a_window_of_matches_is_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    monkeypatch.setattr(match_pool, "_play_one", lambda index: (begun.append(index), index)[::-1])
    with ThreadPoolExecutor(1) as pool:
        for seen, _ in enumerate(match_pool._in_window(cast(Any, pool), 500, WINDOW), 1):
            assert len(begun) <= seen + WINDOW

    assert sorted(begun) == list(range(500))


def test_forfeits_of_a_pair_are_told_once(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("def choose_move(position):\n    return 99\n")
    words = ("tournament", "run", "oware", "wrong.py", "random", "--unsafe", "--format", "games-2", "--cycles", "2")
    done = arena(*words, "--workers", "1")

    assert done.returncode == 0, done.stderr
    assert done.stderr.count("wrong forfeited 4 games against random (illegal_move)") == 1
    result = json.loads(arena(*words, "--json").stdout)
    assert list(result) == ["ruleset", "format", "time_control", "seed", "standings", "matches"]
    assert sorted(match["bots"][0]["name"] for match in result["matches"]) == ["random", "wrong"]


def test_more_cycles_than_a_server_takes_are_refused(arena_here: Arena) -> None:
    done = arena_here("tournament", "run", "oware", "random", "greedy", "--cycles", "101")

    assert done.returncode == 2
    assert "100" in done.stderr
