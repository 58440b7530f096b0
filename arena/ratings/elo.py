"""Elo's rating of one match, rounded so that every machine gets the same numbers."""

from dataclasses import dataclass

START = 1500.0
PROVISIONAL_MATCHES = 30
PLACES = 6      # after each step: the last bits of a power differ between machines


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating as it stands before a match, and the number of rated matches behind it."""

    rating: float
    matches: int


@dataclass(frozen=True, slots=True)
class Change:
    """What one match did to one rating: after = before + k * (score - expected); `score` is in half-points."""

    before: float
    after: float
    expected: float
    k: int
    score: int


def expected_score(rating: float, opponent_rating: float) -> float:
    """Share of the match that the player is expected to take.

    Args: both in Elo points.  Returns: a number of six decimals from 0 to 1.
    Source: Elo (1978), logistic form 1 / (1 + 10 ** ((R_b - R_a) / 400)).
    >>> expected_score(1500, 1500), expected_score(1600, 1400)
    (0.5, 0.759747)
    """
    exponent = min((opponent_rating - rating) / 400, 300.0)     # any larger power is no float, and the share is 0
    return round(1 / (1 + 10**exponent), PLACES)


def is_provisional(matches: int) -> bool:
    """Is a rating with so many rated matches behind it still provisional?"""
    return matches < PROVISIONAL_MATCHES


def k_factor(matches: int) -> int:
    """Points that a surprise of 1 moves, for a version with so many rated matches before this one.

    >>> k_factor(29), k_factor(30)
    (40, 20)
    """
    return 40 if is_provisional(matches) else 20


def rate(first: Rated, second: Rated, score: tuple[int, int]) -> tuple[Change, Change]:
    """Both changes of one match, each with its own K, both from the ratings before it.

    Args: score: half-points of the match by seat: (2, 0), (1, 1) or (0, 2).
    >>> [change.after for change in rate(Rated(1500.0, 0), Rated(1500.0, 30), (2, 0))]
    [1520.0, 1490.0]
    """
    if score not in ((2, 0), (1, 1), (0, 2)):
        raise ValueError(f"a match is scored 2:0, 1:1 or 0:2 in half-points, not {score}")
    expected = expected_score(first.rating, second.rating)
    return _change(first, expected, score[0]), _change(second, round(1 - expected, PLACES), score[1])


def _change(rated: Rated, expected: float, score: int) -> Change:
    k = k_factor(rated.matches)
    after = round(rated.rating + k * (score / 2 - expected), PLACES)
    return Change(rated.rating, after, expected, k, score)
