"""`arena play`: one match in the real sandbox, and what is told of it."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Arena

pytestmark = pytest.mark.services


def played(arena: Arena, *words: str) -> dict[str, Any]:
    done = arena("play", *words, "--json")
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_minimax_clearly_beats_random(arena: Arena) -> None:
    match = played(arena, "oware", "minimax", "random", "--games", "20", "--seed", "clearly")

    assert (match["ruleset"], match["format"], match["bots"]) == ("oware", "games-20", ["minimax", "random"])
    assert (match["winner"], match["score"]) == (0, [2, 0])
    assert len(match["games"]) == 20
    assert [game["south"] for game in match["games"]] == [0, 1] * 10
    assert sum(game["winner"] == 0 for game in match["games"]) >= 18


def test_json_is_all_that_a_program_reads(arena: Arena) -> None:
    match = played(arena, "urim:seeds=4,pits=6", "random", "greedy", "--games", "1", "--opening-plies", "2")

    assert list(match) == [
        "ruleset", "format", "bots", "score", "points", "winner", "seed", "games", "logs"
    ]
    assert match["ruleset"] == "urim:seeds=4"
    assert list(match["games"][0]) == ["south", "winner", "ending", "points", "moves", "verdict"]
    assert match["logs"] == {"first": "", "second": ""}


def test_the_same_seed_is_the_same_match_and_another_is_another(arena: Arena) -> None:
    first, again, other = (
        played(arena, "oware", "random", "random", "--games", "2", "--opening-plies", "4", "--seed", seed)
        for seed in ("one", "one", "two")
    )

    assert first == again
    assert first["games"] != other["games"]


def test_a_forfeit_is_a_result_with_its_reason(arena: Arena, tmp_path: Any) -> None:
    (tmp_path / "wrong.py").write_text('print("here I am")\n\ndef choose_move(position):\n    return 99\n')
    match = played(arena, "oware", "random", "wrong.py", "--games", "2")

    assert match["winner"] == 0
    assert match["games"][0]["ending"] == "illegal_move"
    assert (match["games"][0]["verdict"]["seat"], match["games"][0]["verdict"]["kind"]) == (1, "illegal_move")
    assert "99" in match["games"][0]["verdict"]["message"]
    assert match["logs"] == {"first": "", "second": "here I am\n"}


def test_what_is_told_to_people(arena: Arena, tmp_path: Any) -> None:
    (tmp_path / "talker.py").write_text(
        "def choose_move(position):\n    print('thinking')\n    raise ValueError('lost')\n"
    )
    done = arena("play", "oware", "talker.py", "random", "--games", "1")

    assert done.returncode == 0
    assert "random beats talker, 1 to 0 (oware, games-1, quick)" in done.stdout
    assert "talker forfeits (exception)" in done.stderr
    assert "| thinking" in done.stderr
    assert "--seed" in done.stderr


def test_a_bot_cannot_command_the_terminal_of_who_plays_it(arena: Arena, tmp_path: Any) -> None:
    (tmp_path / "loud.py").write_text('print("\\x1b[2Jall is\\twell")\n\ndef choose_move(position):\n    return 99\n')
    told = arena("play", "oware", "random", "loud.py", "--games", "1")

    assert "loud printed:\n  | \N{REPLACEMENT CHARACTER}[2Jall is\twell\n" in told.stderr
    assert "\x1b" not in told.stderr + told.stdout


def test_watching_shows_every_board(arena: Arena) -> None:
    done = arena("play", "oware", "greedy", "random", "--games", "1", "--watch", "--seed", "watched")

    assert done.stdout.count("South plays") + done.stdout.count("North plays") == done.stdout.count("> ")
    assert "> South     4   4   4   4   4   4   0\n    pits    0   1   2   3   4   5\n" in done.stdout


def test_watching_goes_with_json_on_the_other_stream(arena: Arena) -> None:
    done = arena("play", "oware", "greedy", "random", "--games", "1", "--watch", "--json")

    assert json.loads(done.stdout)["format"] == "games-1"
    assert "South plays" in done.stderr


def test_a_seed_that_was_drawn_is_told_to_programs_and_people(arena: Arena) -> None:
    words = ("play", "oware", "random", "random", "--games", "1", "--opening-plies", "4", "--json")
    drawn = arena(*words)
    seed = json.loads(drawn.stdout)["seed"]

    assert f"--seed {seed}" in drawn.stderr
    assert json.loads(arena(*words, "--seed", seed).stdout)["games"] == json.loads(drawn.stdout)["games"]


def test_without_bubblewrap_nothing_is_played(arena: Arena, tmp_path: Any) -> None:
    done = arena("play", "oware", "random", "random", env={"PATH": str(tmp_path)})

    assert done.returncode == 1
    assert done.stdout == ""
    assert "bubblewrap" in done.stderr
    assert "apt-get install bubblewrap" in done.stderr


def test_unsafe_plays_without_bubblewrap(arena: Arena, tmp_path: Any) -> None:
    done = arena("play", "oware", "random", "random", "--games", "1", "--unsafe", env={"PATH": str(tmp_path)})

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("game", ["oware", "urim", "anywoli", "omweso", "nsolo"])
def test_every_game_is_played_by_every_sample(arena: Arena, game: str) -> None:
    done = arena(
        "tournament", "run", game, "random", "greedy", "minimax", "--format", "games-2", "--json", "--seed", "1"
    )
    result = json.loads(done.stdout)

    assert [match["games"][0]["verdict"] for match in result["matches"]] == [None] * 3
    assert result["standings"][0]["bot"] == "minimax"
    assert sum(line["matches"] for line in result["standings"]) == 6


def test_a_local_tournament_repeats_with_its_seed_however_many_play_at_once(arena: Arena) -> None:
    def moves(workers: str) -> list[Any]:
        words = ("oware", "random", "greedy", "minimax", "--format", "games-2", "--seed", "same", "--workers", workers)
        matches = json.loads(arena("tournament", "run", *words, "--json").stdout)["matches"]
        return [[game["moves"] for game in match["games"]] for match in matches]

    assert moves("1") == moves("2")
