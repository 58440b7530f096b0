"""The shipped bots: whole games of every game, by the same rules and with the same knowledge as any other bot."""

import importlib
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import games
from arena.match.turn import ClockView
from arena.services.packages import check_package

AMPLE = ClockView(turn_ms=100_000, bank_ms=0, last_charged_ms=0)
NO_TIME = ClockView(turn_ms=0, bank_ms=0, last_charged_ms=0)
SAMPLES = ("random", "greedy", "minimax")

ChooseMove = Callable[[games.Position], int]


def choose(sample: str, clock: ClockView = AMPLE) -> ChooseMove:
    bot = importlib.import_module(f"bots.samples.{sample}")
    return (lambda position: bot.choose_move(position, clock)) if sample == "minimax" else bot.choose_move


def play(ruleset: str, south: ChooseMove, north: ChooseMove) -> games.Game:
    game = games.Game(games.load(ruleset))
    while game.outcome() is None:
        game.push((south, north)[game.position.to_move](game.position))
    return game


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("ruleset", [*games.names(), "omweso:setup=free"])
def test_sample_plays_every_game_to_its_end(sample: str, ruleset: str) -> None:
    random.seed(f"{sample}/{ruleset}")

    assert play(ruleset, choose(sample), choose("random")).outcome() is not None


@pytest.mark.parametrize("ruleset", games.names())
def test_minimax_beats_random_in_most_games(ruleset: str) -> None:
    random.seed(f"clearly/{ruleset}")
    wins = [play(ruleset, choose("minimax"), choose("random")).outcome().winner == games.SOUTH for _ in range(3)]
    wins += [play(ruleset, choose("random"), choose("minimax")).outcome().winner == games.NORTH for _ in range(3)]

    assert sum(wins) >= 5


@pytest.mark.parametrize("ruleset", games.names())
def test_minimax_answers_the_same_position_the_same(ruleset: str) -> None:
    first, second = (play(ruleset, choose("minimax"), choose("greedy")).moves for _ in range(2))

    assert first == second


@pytest.mark.parametrize("ruleset", games.names())
def test_minimax_without_time_still_answers_with_a_legal_move(ruleset: str) -> None:
    start = games.load(ruleset).initial()

    assert choose("minimax", NO_TIME)(start) in start.legal_moves()


@pytest.mark.parametrize("sample", SAMPLES)
def test_sample_would_pass_as_a_submission(sample: str) -> None:
    path = Path(__file__).parents[2] / "bots" / "samples" / f"{sample}.py"

    check_package(path.name, path.read_bytes())
