"""Worked examples as they are stepped through: the positions are those that the page writes."""

import re

import pytest

from arena import games
from arena.games import notation
from arena.services import examples
from tests.games.test_rules_pages import EXAMPLES


@pytest.mark.parametrize(("name", "text"), EXAMPLES)
def test_positions_are_those_of_the_page(name: str, text: str) -> None:
    example = examples.read(text)
    written = [line for line in text.splitlines() if line.startswith(f"{name} ")]
    assert [notation.parse_position(line) for line in written] == list(example.positions[: len(written)])
    assert len(example.turns) == len(re.findall(r"^play ", text, re.MULTILINE))
    assert len(example.notes) == len(example.positions)


def test_what_is_legal_and_how_it_ends_is_said_where_it_is_so() -> None:
    slam = examples.read("oware 1,0,0,0,0,2/1,1,0,0,0,0 21,22 S\nplay 5\nlegal 0 1\n")
    assert slam.notes == ("", "Legal moves: 0, 1.")
    over = examples.read("oware 1,1,0,0,0,0/0,0,0,0,0,0 23,23 S\nends no_moves South 25:23 1:0\n")
    assert over.notes == ("South wins, 25 to 23: no legal move is left.",)


def test_every_game_has_examples_to_step_through() -> None:
    assert {parameters.values[0] for parameters in EXAMPLES} == set(games.names())
