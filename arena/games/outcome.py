"""How a game ended, and the steps of a move for those who watch."""

from __future__ import annotations

from arena.games.native import Final

TYPE_CHECKING = False           # `typing` is slow to import, and every bot's process imports this package
if TYPE_CHECKING:
    from fractions import Fraction

SOUTH: Final = 0
NORTH: Final = 1
HAND: Final = -1                     # the `pit` of a step that takes seeds out of the mover's hand

Move = int                      # one decision; docs/rules says what the numbers of a game mean
Side = int                      # SOUTH or NORTH
Pair = tuple[int, int]          # (South's, North's)


def opponent_of(side: Side) -> Side:
    return 1 - side


class Outcome:
    """Who won, why the game ended, and what it counts.

    `winner` is None in a draw or an annulled game; `seeds` and `points` are (South, North), after settlement.
    """

    __slots__ = ("_ending", "_half_points", "_seeds", "_winner")

    def __init__(self, winner: Side | None, ending: str, seeds: Pair,
                 points: tuple[Fraction | int, Fraction | int]) -> None:
        self._winner = winner
        self._ending = ending
        self._seeds = seeds
        self._half_points: Pair = (int(2 * points[0]), int(2 * points[1]))

    @property
    def winner(self) -> Side | None:
        return self._winner

    @property
    def ending(self) -> str:
        return self._ending

    @property
    def seeds(self) -> Pair:
        return self._seeds

    @property
    def points(self) -> tuple[Fraction, Fraction]:
        """Exact: a draw is (1/2, 1/2) in most games."""
        from fractions import Fraction  # not at import: bots load this package, few ask for points

        south, north = self._half_points
        return Fraction(south, 2), Fraction(north, 2)

    @property
    def half_points(self) -> Pair:
        """The points, doubled, as plain ints."""
        return self._half_points

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outcome):
            return NotImplemented
        return self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def __reduce__(self) -> tuple[object, ...]:
        return counted, self._value()

    def __repr__(self) -> str:
        south, north = self._half_points
        return (f"Outcome(winner={self._winner}, ending={self._ending!r}, seeds={self._seeds},"
                f" points=({_half(south)}, {_half(north)}))")

    def _value(self) -> tuple[Side | None, str, Pair, Pair]:
        return self._winner, self._ending, self._seeds, self._half_points


def counted(winner: Side | None, ending: str, seeds: Pair, half_points: Pair) -> Outcome:
    """An outcome whose points are given doubled, as ints."""
    outcome = Outcome(winner, ending, seeds, (0, 0))
    outcome._half_points = half_points
    return outcome


def _half(half_points: int) -> str:
    return str(half_points // 2) if half_points % 2 == 0 else f"{half_points}/2"


class Step:
    """One thing seen on the board while a move is carried out.

    `kind`: `lift` (all seeds of a pit), `drop` (one seed), `capture` (seeds leave the board for `side`, or, where
    captured seeds are sown again, go to `side`'s hand), `strip` (a stone taken off after a capture).
    `pit` counts as in `Position.pits`, or is HAND; `side` is whose hand or store it concerns.
    """

    __slots__ = ("_kind", "_pit", "_seeds", "_side")

    def __init__(self, kind: str, pit: int, seeds: int, side: Side) -> None:
        self._kind = kind
        self._pit = pit
        self._seeds = seeds
        self._side = side

    @property
    def kind(self) -> str:
        return self._kind

    @property
    def pit(self) -> int:
        return self._pit

    @property
    def seeds(self) -> int:
        return self._seeds

    @property
    def side(self) -> Side:
        return self._side

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Step):
            return NotImplemented
        return self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def __reduce__(self) -> tuple[object, ...]:
        return Step, self._value()

    def __repr__(self) -> str:
        return f"Step({self._kind!r}, pit={self._pit}, seeds={self._seeds}, side={self._side})"

    def _value(self) -> tuple[str, int, int, Side]:
        return self._kind, self._pit, self._seeds, self._side
