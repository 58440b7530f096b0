"""Random games through the engine and through a second implementation, compared after each move."""

import importlib
import random
import zlib
from fractions import Fraction
from typing import Any

import pytest

from arena import games
from tests.games.material import rulesets

GAMES_EACH = 6                  # random games of each ruleset in the everyday run
MOST_MOVES = 1500


def oracle_of(rules: games.Rules) -> Any:
    return importlib.import_module(f"tests.games.oracles.{rules.name}").Oracle(dict(rules.options))


def compare(game: games.Game, oracle: Any, state: Any) -> None:
    position, outcome = game.position, game.outcome()
    pits, stores, to_move, hand = oracle.view(state)
    assert position.pits == tuple(pits)
    assert position.stores == tuple(stores)
    assert position.hand == hand
    assert list(game.legal_moves()) == list(oracle.legal(state))
    expected = oracle.outcome(state)
    if expected is None:
        assert outcome is None
        assert position.to_move == to_move
        return
    assert outcome is not None
    winner, ending, seeds, points = expected
    assert (outcome.winner, outcome.ending, outcome.seeds) == (winner, ending, tuple(seeds))
    assert outcome.points == tuple(Fraction(each) for each in points)


def play_side_by_side(ruleset: str, seed: int) -> None:
    chance = random.Random(seed)
    rules = games.load(ruleset)
    game, oracle = games.Game(rules), oracle_of(rules)
    state = oracle.initial()
    compare(game, oracle, state)
    while game.outcome() is None and len(game.moves) < MOST_MOVES:
        move = chance.choice(game.legal_moves())
        game.push(move)
        state = oracle.play(state, move)
        compare(game, oracle, state)


@pytest.mark.parametrize("number", range(GAMES_EACH))
@pytest.mark.parametrize("ruleset", rulesets())
def test_engine_and_oracle_agree(ruleset: str, number: int) -> None:
    play_side_by_side(ruleset, zlib.crc32(f"{ruleset} {number}".encode()))


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", rulesets())
def test_engine_and_oracle_agree_at_length(ruleset: str) -> None:
    for number in range(60):
        play_side_by_side(ruleset, zlib.crc32(f"at length {ruleset} {number}".encode()))
