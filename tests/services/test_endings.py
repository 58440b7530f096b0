"""Every way a game can end has its words."""

import doctest
from pathlib import Path

import pytest

from arena import games
from arena.games import Outcome
from arena.match.record import VERDICT_KINDS
from arena.services import endings
from tests.games.material import golden_of

NAMES = ("ama", "kofi")


def test_examples_of_the_docstrings_hold() -> None:
    assert doctest.testmod(endings).failed == 0


def test_every_ending_of_the_rules_and_every_verdict_has_words() -> None:
    code = "".join(path.read_text() for path in Path(games.__file__).parent.glob("*.py"))
    assert [ending for ending in endings.WHY if f'"{ending}"' not in code] == []
    assert {golden["ending"] for game in games.names() for golden in golden_of(game)} <= set(endings.WHY)
    assert set(endings.FAULTS) == set(VERDICT_KINDS)


@pytest.mark.parametrize(
    ("ruleset", "outcome", "words"),
    [
        ("oware", Outcome(None, "repetition", (24, 24), (0, 0)), "Drawn, 24 to 24: a position came back."),
        ("urim", Outcome(1, "no_moves", (16, 20), (0, 0)), "kofi wins, 20 to 16: no legal move is left."),
        ("nsolo", Outcome(None, "ply_cap", (31, 2), (0, 0)), "Drawn: the limit on turns is reached."),
        ("nsolo", Outcome(0, "no_stones", (31, 0), (1, 0)), "ama wins: the opponent has no stone left."),
    ],
)
def test_words_name_the_winner_and_where_seeds_decide_the_seeds(ruleset: str, outcome: Outcome, words: str) -> None:
    assert endings.ending_words(games.load(ruleset), outcome, NAMES) == words
