"""The worked examples on the rules pages are true.

An example is fenced as `mancala`; line by line:

    oware 4,4,4,4,4,4/4,4,4,4,4,4 0,0 S     the position now: the first such line sets it, later ones must agree
    legal 0 1 2                              the legal moves now
    play 2                                   a turn, as notation writes turns
    ends no_moves South 25:23 1:0            how the game has ended: word, winner (or nobody), seeds, points
"""

import re
from fractions import Fraction

import pytest

from arena import games
from arena.games import notation
from tests.games.material import HERE

PAGES = HERE.parent.parent / "docs" / "rules"
FENCE = re.compile(r"^```mancala\n(.*?)^```", re.MULTILINE | re.DOTALL)
LEAST_EXAMPLES = 3


def page(name: str) -> str:
    path = PAGES / f"{name}.md"
    return path.read_text() if path.exists() else ""      # that one is missing is for `test_completeness.py` to say


EXAMPLES = [
    pytest.param(name, example, id=f"{name}-{number}")
    for name in games.names()
    for number, example in enumerate(FENCE.findall(page(name)), start=1)
]


@pytest.mark.parametrize("name", [name for name in games.names() if page(name)])
def test_every_page_has_worked_examples_and_every_option(name: str) -> None:
    assert len(FENCE.findall(page(name))) >= LEAST_EXAMPLES
    for option in games.load(name).options:
        assert f"`{option}`" in page(name)


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_worked_example_is_true(name: str, example: str) -> None:
    lines = example.splitlines()
    position = notation.parse_position(lines[0])
    assert position.rules.name == name
    game = games.Game(position.rules, position)
    assert len(lines) > 1
    for line in lines[1:]:
        check_line(game, line)


def check_line(game: games.Game, line: str) -> None:
    word, _, rest = line.partition(" ")
    if word == "play":
        for move in notation.parse_turn(game.position, rest):
            game.push(move)
    elif word == "legal":
        assert list(game.legal_moves()) == [int(move) for move in rest.split()]
    elif word == "ends":
        assert rest == told(game.outcome())
    else:
        assert notation.position_text(game.position) == line


def told(outcome: games.Outcome | None) -> str:
    assert outcome is not None
    winner = "nobody" if outcome.winner is None else ("South", "North")[outcome.winner]
    points = ":".join(str(Fraction(each)) for each in outcome.points)
    return f"{outcome.ending} {winner} {outcome.seeds[0]}:{outcome.seeds[1]} {points}"
