"""Random games through the engine and through a second implementation, compared after each move."""

import importlib
import random
import zlib
from fractions import Fraction
from typing import Any

import pytest

from arena import games
from arena.errors import InvalidPosition
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


def random_position(rules: games.Rules, chance: random.Random) -> games.Position:
    """Some of the seeds on a few pits, so that heavy pits and starving sides are common; the rest in the stores."""
    start = rules.initial()
    seeds = sum(start.pits) or 64           # while seeds are set up, none lie on the board
    while True:
        pits = [0] * len(start.pits)
        used = chance.sample(range(len(pits)), chance.randint(2, len(pits)))
        taken = 0 if rules.name == "omweso" else seeds * chance.choice((0, 0, 1, 2, 3)) // 4
        for _ in range(seeds - taken):
            pits[chance.choice(used) if chance.random() < 0.7 else used[0]] += 1
        south = chance.randint(0, taken)
        try:
            return rules.position(pits, (south, taken - south), chance.randint(0, 1))
        except InvalidPosition:
            continue                        # a pit too full


def play_side_by_side(ruleset: str, seed: int, from_random_board: bool = False) -> None:
    chance = random.Random(seed)
    rules = games.load(ruleset)
    game, oracle = games.Game(rules), oracle_of(rules)
    state = oracle.initial()
    if from_random_board:
        position = random_position(rules, chance)
        game = games.Game(rules, position)
        state = oracle.start(list(position.pits), position.stores, position.to_move)
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


@pytest.mark.parametrize("number", range(GAMES_EACH))
@pytest.mark.parametrize("ruleset", rulesets())
def test_engine_and_oracle_agree_from_random_boards(ruleset: str, number: int) -> None:
    play_side_by_side(ruleset, zlib.crc32(f"board {ruleset} {number}".encode()), from_random_board=True)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", rulesets())
def test_engine_and_oracle_agree_at_length(ruleset: str) -> None:
    for number in range(60):
        seed = zlib.crc32(f"at length {ruleset} {number}".encode())
        play_side_by_side(ruleset, seed, from_random_board=number % 2 == 1)
