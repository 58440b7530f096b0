"""Perft: the number of sequences of turns agrees with the counts that other programs found."""

import pytest

from arena import games
from arena.games.perft import perft
from tests.games.material import cases_of


def is_counted_quickly(ruleset: str) -> bool:
    """Where a turn is one move, the last turn is not played but counted."""
    return games.load(ruleset).moves_in_turn == 1


MANY = 50_000                   # sequences; more take seconds

COUNTS = [
    pytest.param(table["ruleset"], depth, count, id=f"{table['ruleset']}-{depth}",
                 marks=[pytest.mark.slow] if count > MANY and not is_counted_quickly(table["ruleset"]) else [])
    for game in games.names()
    for table in cases_of(game)["perft"]
    for depth, count in enumerate(table["counts"], start=1)
]


@pytest.mark.parametrize(("ruleset", "depth", "count"), COUNTS)
def test_perft_agrees(ruleset: str, depth: int, count: int) -> None:
    assert perft(games.load(ruleset).initial(), depth) == count


def test_perft_of_no_turns_is_one() -> None:
    assert perft(games.load("oware").initial(), 0) == 1


def test_perft_of_a_finished_game_is_zero() -> None:
    over = games.load("oware").position([0] * 12, (24, 24))
    assert [perft(over, depth) for depth in (1, 2)] == [0, 0]
