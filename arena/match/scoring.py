"""From the record of a game to what a format counts, and from there to the score of a match."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from arena.match.format import GameDefaults, GameResult, MatchFormat, points_of, winner_of
from arena.match.points import Points
from arena.match.record_types import GameRecord


@dataclass(frozen=True, slots=True)
class Score:
    """How a match ended: half-points of the match, the sum of the games' points, and the seat that won."""

    match: tuple[int, int]
    points: Points
    winner: int | None


def by_seat(points: Points, south: int) -> Points:
    """Points of (South, North) as those of (first, second); or the other way round, it is the same exchange."""
    return points if south == 0 else (points[1], points[0])


def forfeit_points(defaults: GameDefaults, loser: int) -> Points:
    """What a forfeited game is worth, by seat."""
    award, nothing = Fraction(defaults.forfeit_points), Fraction(0)
    return (nothing, award) if loser == 0 else (award, nothing)


def result_of(game: GameRecord, defaults: GameDefaults) -> GameResult:
    """What the format reads of a game."""
    verdict = game.verdict
    if verdict is not None:
        return GameResult(game.winner, game.points, forfeited_by=verdict.seat, is_fatal=verdict.is_loading)
    return GameResult(game.winner, game.points, is_annulled=defaults.annuls and game.winner is None)


def score_of(form: MatchFormat, results: Sequence[GameResult]) -> Score:
    """The score of a match whose games gave these results."""
    winner = winner_of(form, results)
    match = (1, 1) if winner is None else (2, 0) if winner == 0 else (0, 2)
    return Score(match, points_of(results), winner)
