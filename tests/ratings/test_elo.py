import random
import statistics
from decimal import Decimal, getcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.elo import Rated, expected_score, is_provisional, k_factor, rate, rating_error

ratings = st.floats(-5_000, 10_000).map(lambda rating: round(rating, 6))
rated = st.builds(Rated, ratings, st.integers(0, 100))
scores = st.sampled_from([(2, 0), (1, 1), (0, 2)])


@pytest.mark.parametrize(
    ("difference", "expected"),      # from the logistic form, in decimals of 40 places
    [(0, 0.5), (1, 0.501439), (50, 0.571463), (100, 0.640065), (200, 0.759747), (400, 0.909091), (800, 0.990099),
     (-100, 0.359935), (-400, 0.090909), (5_000, 1.0), (-5_000, 0.0)],
)
def test_the_expected_score_follows_the_logistic_form(difference: int, expected: float) -> None:
    assert expected_score(1500 + difference, 1500) == expected
    getcontext().prec = 40
    exact = 1 / (1 + Decimal(10) ** (Decimal(-difference) / 400))
    assert float(round(exact, 6)) == expected


@given(ratings, ratings)
def test_both_expected_scores_make_a_whole(one: float, other: float) -> None:
    share = expected_score(one, other)
    assert 0 <= share <= 1
    assert round(share + expected_score(other, one), 6) == 1


def test_no_difference_is_too_large() -> None:
    assert expected_score(0, 1e12) == 0
    assert expected_score(1e12, 0) == 1


@pytest.mark.parametrize(("matches", "k"), [(0, 40), (29, 40), (30, 20), (31, 20), (10_000, 20)])
def test_the_first_thirty_matches_move_twice_as_much(matches: int, k: int) -> None:
    assert k_factor(matches) == k
    assert is_provisional(matches) == (k == 40)


def test_a_golden_change() -> None:
    first, second = rate(Rated(1613.0, 30), Rated(1388.5, 5), (0, 2))
    assert (first.expected, second.expected) == (0.784541, 0.215459)
    assert (first.before, first.after, first.k, first.score) == (1613.0, 1597.30918, 20, 0)
    assert (second.before, second.after, second.k, second.score) == (1388.5, 1419.88164, 40, 2)


@given(rated, rated, scores)
def test_a_change_can_be_recomputed_from_what_it_shows(one: Rated, other: Rated, score: tuple[int, int]) -> None:
    for change, before in zip(rate(one, other, score), (one, other), strict=True):
        assert change.before == before.rating
        assert change.after == round(change.before + change.k * (change.score / 2 - change.expected), 6)
        assert change.k == k_factor(before.matches)


@given(ratings, ratings, scores, st.integers(30, 60), st.integers(0, 29))
def test_points_move_and_are_not_made_when_k_is_equal(
    one: float, other: float, score: tuple[int, int], settled: int, provisional: int
) -> None:
    for matches in (settled, provisional):
        first, second = rate(Rated(one, matches), Rated(other, matches), score)
        assert abs((first.after - first.before) + (second.after - second.before)) < 5e-6


@given(rated, rated)
def test_a_better_result_is_never_worth_less(one: Rated, other: Rated) -> None:
    loss, draw, win = (rate(one, other, score)[0].after for score in ((0, 2), (1, 1), (2, 0)))
    assert loss < draw < win


@given(rated, rated, scores)
def test_the_seats_are_rated_alike(one: Rated, other: Rated, score: tuple[int, int]) -> None:
    """But for the last place: the second's share is what the first's leaves of 1."""
    first, second = rate(one, other, score)
    second_mirrored, first_mirrored = rate(other, one, (score[1], score[0]))
    assert abs(first.after - first_mirrored.after) < 1e-4
    assert abs(second.after - second_mirrored.after) < 1e-4


@pytest.mark.parametrize("score", [(0, 0), (2, 1), (2, 2), (1, 0), (-1, 3), (4, -2)])
def test_no_other_score_is_rated(score: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="2:0, 1:1 or 0:2"):
        rate(Rated(1500.0, 0), Rated(1500.0, 0), score)


@pytest.mark.parametrize("matches", [0, 1, 10, 30, 100, 400, 3000])
def test_the_error_is_what_ratings_are_off_by(matches: int) -> None:
    """Bots of random strengths near their start play opponents of their own strength, whose ratings are right."""
    dice = random.Random(matches)
    off = []
    for _ in range(1500):
        strength = dice.gauss(1500, 350)
        rating = 1500.0
        for played in range(min(matches, 400)):
            opponent = dice.gauss(rating, 50)
            score = 2 if dice.random() < 1 / (1 + 10 ** ((opponent - strength) / 400)) else 0
            rating = rate(Rated(rating, played), Rated(opponent, 100), (score, 2 - score))[0].after
        off.append(rating - strength)
    assert statistics.pstdev(off) == pytest.approx(rating_error(matches), rel=0.15)
