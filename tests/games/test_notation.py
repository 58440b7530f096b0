"""Turns, positions and boards as text; that all games read back what they wrote is shown in `test_conformance.py`."""

import pytest

from arena import games
from arena.errors import IllegalMove, InvalidNotation, InvalidPosition, UnknownGame, UnknownOption
from arena.games import notation


@pytest.mark.parametrize("text", ["2", "C", "c", " 2 "])
def test_a_pit_may_be_written_as_number_or_letter(text: str) -> None:
    position = games.load("oware").initial()
    assert notation.parse_turn(position, text) == (2,)
    assert notation.turn_text(position, (2,)) == "2"


@pytest.mark.parametrize("text", ["", "6", "G", "-1", "1.0", "0 1", "²", "é", "10", "A1", "1" * 5000])
def test_what_is_no_pit_is_no_turn(text: str) -> None:
    with pytest.raises(InvalidNotation, match="write 0 to 5, or A to F"):
        notation.parse_turn(games.load("oware").initial(), text)


def test_a_turn_well_written_may_still_be_illegal() -> None:
    position = games.load("oware").initial().play(2).play(0)
    with pytest.raises(IllegalMove, match="legal are 0, 1, 3, 4, 5"):
        notation.parse_turn(position, "2")
    with pytest.raises(IllegalMove):
        notation.turn_text(position, (2,))
    with pytest.raises(InvalidNotation, match="one move, not 2"):
        notation.turn_text(position, (1, 3))


@pytest.mark.parametrize("text", [
    "", "oware", "oware 4,4 0,0 S", "oware 4,4,4/4,4,4,4,4,4,4,4,4 0,0 S",
    "oware 4,4,4,4,4,4/4,4,4,4,4,4 0,0 X", "oware 4,4,4,4,4,4/4,4,4,4,4,x 0,0 S",
    "oware 4,4,4,4,4,4/4,4,4,4,4,4 0,0 S turns=1,1", "oware 4,4,4,4,4,4/4,4,4,4,4,4 0,0 S +",
    "oware 4,4,4,4,4,4/4,4,4,4,4," + "9" * 5000 + " 0,0 S",
])
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        notation.parse_position(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(("text", "error"), [
    ("chess 4/4 0,0 S", UnknownGame),
    ("oware:x=1 4/4 0,0 S", UnknownOption),
    ("oware 4,4,4,4,4,4/4,4,4,4,4,5 0,0 S", InvalidPosition),
    ("oware 4,4,4,4,4,4/4,4,4,4,4,4 0,0 S ending=majority", InvalidPosition),
    ("oware 4,4,4,4,4,4/4,4,4,4,4,4 0,0,0 S", InvalidPosition),
    ("oware 0,8,4,4,4,4/4,4,4,4,4,4 0,0 S +0", IllegalMove),
])
def test_a_position_that_cannot_be_is_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        notation.parse_position(text)


def test_the_board_is_drawn_as_south_sees_it() -> None:
    position = games.load("oware").position([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 0], (0, 2), 1)
    assert notation.board(position).splitlines() == [
        "> North     0   1   9   8   7   6   2",
        "         ------------------------",
        "  South     0   1   2   3   4   5   0",
    ]
