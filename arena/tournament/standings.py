"""Who leads a tournament: a ranked table out of results, with tie-breaks declared in advance and explained on demand.

Sums are exact: half-points (int), or `Fraction` where quarters occur.  Entrants are their numbers in the schedule.

Match points, game points and wins need no words.  Direct encounter: the match points among those who are equal by
match and game points, if all of them have met equally often.  Sonneborn-Berger: the match points of every beaten
opponent, and half those of every opponent drawn with.  Equal by all of these is equal: the rank is shared.

A withdrawn entrant's matches count if it played at least half of those it had; otherwise none of them counts, for
anybody, and it stands below all others.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

TIE_BREAKS = ("match points", "game points", "direct encounter", "Sonneborn-Berger", "wins")


@dataclass(frozen=True, slots=True)
class Result:
    """One finished match: its two entrants, its score and the points of its games, both in half-points."""

    first: int
    second: int
    score: tuple[int, int]
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """What an entrant has by one criterion; the criteria decide in the order of `TIE_BREAKS`."""

    name: str
    value: Fraction


@dataclass(frozen=True, slots=True)
class Term:
    """What the matches against one opponent add to a criterion; the terms add up to its value."""

    opponent: int
    value: Fraction


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the table; who is equal by every criterion shares a rank.  `score` and `points` in half-points."""

    number: int
    rank: int
    matches: int
    wins: int
    draws: int
    losses: int
    score: int
    points: int
    tie_breaks: tuple[TieBreak, ...]
    is_withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """All matches of one entrant against one other: how many, its score and its game points, in half-points."""

    matches: int
    score: int
    points: int


def standings(
    entrants: Iterable[int], results: Iterable[Result], withdrawn: Collection[int] = (), *, cycles: int = 1
) -> list[Standing]:
    """The table, best first; who shares a rank is listed by number.

    Args: entrants: all of the schedule.  results: those of finished matches, each match once, in any order.
    withdrawn: entrants that left.  cycles: of the schedule, which says how many matches each had.
    """
    return ranked(_Table(entrants, results, withdrawn, cycles).sums())


def explain(
    number: int, entrants: Iterable[int], results: Iterable[Result], withdrawn: Collection[int] = (), *, cycles: int = 1
) -> dict[str, tuple[Term, ...]]:
    """The terms of each tie-break of one entrant, by opponent; they add up to the values in its line."""
    table = _Table(entrants, results, withdrawn, cycles)
    return {name: table.terms(name, number) for name in TIE_BREAKS}


def crosstable(
    entrants: Iterable[int], results: Iterable[Result], withdrawn: Collection[int] = (), *, cycles: int = 1
) -> dict[tuple[int, int], Cell]:
    """What each entrant made against each opponent it met, by (entrant, opponent); only matches that count."""
    cells: dict[tuple[int, int], Cell] = {}
    for played in _Table(entrants, results, withdrawn, cycles).played():
        for number, opponent, score, points in played.sides():
            old = cells.get((number, opponent), Cell(0, 0, 0))
            cells[number, opponent] = Cell(old.matches + 1, old.score + score, old.points + points)
    return cells


class Sums(NamedTuple):
    """What decides an entrant's line; `direct` in half-points, `berger` (Sonneborn-Berger) in quarters."""

    matches: int
    wins: int
    draws: int
    losses: int
    score: int
    points: int
    direct: int
    berger: int
    is_struck: bool
    is_withdrawn: bool

    def values(self) -> tuple[Fraction, ...]:
        """What the entrant has by each criterion, in the order of `TIE_BREAKS`."""
        return (
            Fraction(self.score, 2),
            Fraction(self.points, 2),
            Fraction(self.direct, 2),
            Fraction(self.berger, 4),
            Fraction(self.wins),
        )


def ranked(sums: Mapping[int, Sums]) -> list[Standing]:
    """The lines of the table, best first, by the number of each entrant."""
    keys = {
        number: (not own.is_struck, own.score, own.points, own.direct, own.berger, own.wins)
        for number, own in sums.items()
    }
    lines: list[Standing] = []
    for place, number in enumerate(sorted(sorted(sums), key=lambda number: keys[number], reverse=True), start=1):
        is_shared = place > 1 and keys[number] == keys[lines[-1].number]
        lines.append(_line(number, lines[-1].rank if is_shared else place, sums[number]))
    return lines


def is_struck(played: int, entrants: int, cycles: int) -> bool:
    """Whether no match of an entrant that left counts: it played less than half of those it had."""
    return 2 * played < (entrants - 1) * cycles


def _line(number: int, rank: int, own: Sums) -> Standing:
    tie_breaks = tuple(TieBreak(name, value) for name, value in zip(TIE_BREAKS, own.values(), strict=True))
    return Standing(
        number, rank, own.matches, own.wins, own.draws, own.losses, own.score, own.points, tie_breaks, own.is_withdrawn
    )


class _Played(NamedTuple):
    first: int
    second: int
    first_score: int
    second_score: int
    first_points: int
    second_points: int

    def sides(self) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int]]:
        """(entrant, opponent, score, points) as each of the two sees it."""
        return (
            (self.first, self.second, self.first_score, self.first_points),
            (self.second, self.first, self.second_score, self.second_points),
        )


class _Table:
    """All sums of one tournament.  Results are kept as columns of small integers: two million of them must fit."""

    def __init__(
        self, entrants: Iterable[int], results: Iterable[Result], withdrawn: Collection[int], cycles: int
    ) -> None:
        self.entrants = frozenset(entrants)
        self.withdrawn = frozenset(withdrawn)
        self._columns = tuple(array("i") for _ in _Played._fields)
        for result in results:
            self._keep(result)
        self.struck = self._struck(cycles)
        self._add_up_matches()
        self.rivals = self._rivals()
        self._add_up_opponents()

    def _add_up_matches(self) -> None:
        self.matches, self.score, self.points = Counter[int](), Counter[int](), Counter[int]()
        self.by_score: dict[int, Counter[int]] = {0: Counter(), 1: Counter(), 2: Counter()}
        for played in self.played():
            for number, _, score, points in played.sides():
                self.matches[number] += 1
                self.score[number] += score
                self.points[number] += points
                self.by_score[score][number] += 1

    def _add_up_opponents(self) -> None:
        """The criteria that need the sums of the others first."""
        self.direct, self.berger = Counter[int](), Counter[int]()
        for played in self.played():
            for number, opponent, score, _ in played.sides():
                self.direct[number] += score if opponent in self.rivals[number] else 0
                self.berger[number] += score * self.score[opponent]

    def _keep(self, result: Result) -> None:
        if result.score not in ((2, 0), (1, 1), (0, 2)):
            raise ValueError(f"a match is scored 2:0, 1:1 or 0:2 in half-points, not {result}")
        if result.first == result.second or not {result.first, result.second} <= self.entrants:
            raise ValueError(f"{result} is not between two entrants")
        for column, value in zip(
            self._columns, (result.first, result.second, *result.score, *result.points), strict=True
        ):
            column.append(value)

    def _struck(self, cycles: int) -> frozenset[int]:
        """The withdrawn who played less than half of their matches."""
        played = Counter[int]()
        for column in self._columns[:2]:
            played.update(number for number in column if number in self.withdrawn)
        return frozenset(
            number for number in self.withdrawn if is_struck(played[number], len(self.entrants), cycles)
        )

    def played(self) -> Iterator[_Played]:
        """The matches that count."""
        for row in zip(*self._columns, strict=True):
            if row[0] not in self.struck and row[1] not in self.struck:
                yield _Played(*row)

    def _rivals(self) -> Mapping[int, frozenset[int]]:
        """Per entrant, those among whom direct encounter decides: equal so far, and all have met equally often."""
        equals = defaultdict(set)
        for number in self.entrants - self.struck:
            equals[self.score[number], self.points[number]].add(number)
        group_of = {number: frozenset(group) for group in equals.values() for number in group}
        meetings: dict[frozenset[int], Counter[frozenset[int]]] = defaultdict(Counter)
        for played in self.played():
            if played.second in group_of[played.first]:
                meetings[group_of[played.first]][frozenset((played.first, played.second))] += 1
        nobody = frozenset[int]()
        return {number: group if _all_met(group, meetings[group]) else nobody for number, group in group_of.items()}

    def sums(self) -> dict[int, Sums]:
        return {number: self._sums(number) for number in self.entrants}

    def _sums(self, number: int) -> Sums:
        return Sums(
            self.matches[number],
            self.by_score[2][number],
            self.by_score[1][number],
            self.by_score[0][number],
            self.score[number],
            self.points[number],
            self.direct[number],
            self.berger[number],
            number in self.struck,
            number in self.withdrawn,
        )

    def terms(self, name: str, number: int) -> tuple[Term, ...]:
        sums: dict[int, Fraction] = defaultdict(Fraction)
        for played in self.played():
            for entrant, opponent, score, points in played.sides():
                if entrant == number:
                    sums[opponent] += self._term(name, opponent, score, points, self.rivals[number])
        return tuple(Term(opponent, value) for opponent, value in sorted(sums.items()))

    def _term(self, name: str, opponent: int, score: int, points: int, rivals: frozenset[int]) -> Fraction:
        return {
            "match points": Fraction(score, 2),
            "game points": Fraction(points, 2),
            "direct encounter": Fraction(score if opponent in rivals else 0, 2),
            "Sonneborn-Berger": Fraction(score * self.score[opponent], 4),
            "wins": Fraction(score == 2),
        }[name]


def _all_met(group: frozenset[int], meetings: Counter[frozenset[int]]) -> bool:
    pairs = len(group) * (len(group) - 1) // 2
    return len(meetings) == pairs and len(set(meetings.values())) == 1
