"""Elo's rating of one match, rounded so that every machine gets the same numbers."""

import math
from dataclasses import dataclass
from functools import cache

START = 1500.0
PROVISIONAL_MATCHES = 30
UNKNOWN = 350.0         # standard deviation of the strength of a bot nobody has seen play
SETTLED = 400           # matches after which a rating gets no more certain
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


@cache
def rating_error(matches: int) -> float:
    """How far a rating may be from the strength it stands for, after so many matches: one standard deviation.

    Unknown at first (`UNKNOWN`), it shrinks with every match, but never below what the K-factor keeps stirring up.
    Source: the update R += K (S - 1/2) against opponents of one's own rating, with wins and losses only, changes the
    variance of the error to v - 2 K v c + K^2 / 4.  Here c = (ln 10 / 1600) / sqrt(1 + pi v (ln 10 / 400)^2 / 8) is the
    mean slope of the expected score over errors of that size (a logistic curve against a normal distribution).
    Simulated bots err as much, to within 15 %; draws make it smaller, opponents whose own ratings are wrong larger.
    >>> round(rating_error(0)), round(rating_error(30)), round(rating_error(1000))
    (350, 102, 42)
    """
    if matches <= 0:
        return UNKNOWN
    matches = min(matches, SETTLED)
    k, variance, steepness = k_factor(matches - 1), rating_error(matches - 1) ** 2, math.log(10) / 400
    slope = steepness / 4 / math.sqrt(1 + math.pi * variance * steepness**2 / 8)
    return math.sqrt(variance - 2 * k * variance * slope + k**2 / 4)


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
