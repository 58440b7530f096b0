from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import RecordRefused
from arena.match.points import half_points, parse_points, points_shown, points_text

HALVES = st.integers(0, 10**8).map(lambda halves: Fraction(halves, 2))


@given(HALVES)
def test_points_read_what_they_write(points: Fraction) -> None:
    assert parse_points(points_text(points)) == points
    assert Fraction(half_points(points), 2) == points


@pytest.mark.parametrize(
    ("halves", "shown"), [(0, "0"), (1, "½"), (2, "1"), (3, "1 ½"), (24, "12"), (41, "20 ½")]
)
def test_people_see_halves(halves: int, shown: str) -> None:
    assert points_shown(Fraction(halves, 2)) == shown


@pytest.mark.parametrize(
    "text", ["", "0.5", "½", "2/2", "1/3", "-1", "01", "1/", "/2", "1/2/2", "1e3", "٣", "1" * 5000]
)
def test_no_other_text_is_points(text: str) -> None:
    with pytest.raises(RecordRefused):
        parse_points(text)


def test_thirds_are_no_half_points() -> None:
    with pytest.raises(ValueError, match="1/3"):
        half_points(Fraction(1, 3))
