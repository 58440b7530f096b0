"""The table of a large tournament out of sums that are kept while it is played, instead of out of all its results.

Every entrant has its totals, and what it made against each opponent as columns of small integers, so that a table
costs the same whether every pair met once or a hundred times.  It is the table of standings.py, line by line.
"""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import mul
from typing import Protocol

from arena.tournament.standings import TIE_BREAKS, Cell, Result, Standing, Sums, Term, is_struck, ranked

SMALL, LARGE = "H", "I"         # 16 and 32 bits: matches and match points of a pair, and its game points


@dataclass(slots=True)
class Totals:
    """All matches of one entrant; score and points in half-points."""

    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    score: int = 0
    points: int = 0


@dataclass(slots=True)
class Pairs:
    """What one entrant made against each opponent, by the opponent's number; what `conceded` is the opponent's."""

    met: "array[int]"
    scores: "array[int]"
    drawn: "array[int]"
    points: "array[int]"
    conceded: "array[int]"

    @classmethod
    def of_none(cls, entrants: int) -> "Pairs":
        """Before the first match."""
        return cls(*(array(kind, bytes(array(kind).itemsize * entrants)) for kind in PAIR_COLUMNS.values()))

    def cell(self, opponent: int) -> Cell | None:
        """All matches against one opponent; None if they have not met."""
        if not self.met[opponent]:
            return None
        return Cell(self.met[opponent], self.scores[opponent], self.points[opponent])

    def as_seen_by(self, opponent: int) -> Totals:
        """What the opponent made against this entrant."""
        met, drawn = self.met[opponent], self.drawn[opponent]
        lost = (self.scores[opponent] - drawn) // 2
        score = 2 * met - self.scores[opponent]
        return Totals(met, met - drawn - lost, drawn, lost, score, self.conceded[opponent])


PAIR_COLUMNS: Mapping[str, str] = {"met": SMALL, "scores": SMALL, "drawn": SMALL, "points": LARGE, "conceded": LARGE}


@dataclass(slots=True)
class Tally:
    """Everything that is kept of one entrant."""

    totals: Totals
    pairs: Pairs

    @classmethod
    def of_none(cls, entrants: int) -> "Tally":
        """Before the first match."""
        return cls(Totals(), Pairs.of_none(entrants))

    def add(self, opponent: int, score: int, points: int, conceded: int) -> None:
        """Count one match against this opponent."""
        totals, pairs = self.totals, self.pairs
        totals.matches += 1
        totals.wins += score == 2
        totals.draws += score == 1
        totals.losses += score == 0
        totals.score += score
        totals.points += points
        pairs.met[opponent] += 1
        pairs.scores[opponent] += score
        pairs.drawn[opponent] += score == 1
        pairs.points[opponent] += points
        pairs.conceded[opponent] += conceded


def count(first: Tally, second: Tally, result: Result) -> None:
    """Count a result with both of its entrants; each result once."""
    first.add(result.second, result.score[0], *result.points)
    second.add(result.first, result.score[1], *reversed(result.points))


class Tallies(Protocol):
    """Where the sums are kept; what is not asked for need not be read."""

    def totals(self) -> Sequence[Totals]:
        """Of every entrant, by number."""

    def scores(self) -> Iterator[tuple[int, Sequence[int]]]:
        """Number and `Pairs.scores` of every entrant that has played."""

    def pairs(self, numbers: Collection[int]) -> Mapping[int, Pairs]:
        """Of these entrants, as far as they have played."""


def standings(tallies: Tallies, withdrawn: Collection[int] = (), *, cycles: int = 1) -> list[Standing]:
    """The table, best first, as `standings.standings` gives it for all results that were counted."""
    return ranked(_Table(tallies, frozenset(withdrawn), cycles).sums())


def explain(
    tallies: Tallies, number: int, withdrawn: Collection[int] = (), *, cycles: int = 1
) -> dict[str, tuple[Term, ...]]:
    """The terms of each tie-break of one entrant, by opponent, as `standings.explain` gives them."""
    return _Table(tallies, frozenset(withdrawn), cycles).explain(number)


@dataclass(slots=True)
class _Table:
    tallies: Tallies
    withdrawn: frozenset[int]
    cycles: int
    totals: list[Totals] = field(init=False)
    struck: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        self.totals = list(self.tallies.totals())
        entrants = len(self.totals)
        self.struck = frozenset(
            number for number in self.withdrawn if is_struck(self.totals[number].matches, entrants, self.cycles)
        )
        self._strike()

    def _strike(self) -> None:
        """No match of those who are struck counts, for anybody."""
        for pairs in self.tallies.pairs(self.struck).values() if self.struck else ():
            for opponent, totals in enumerate(self.totals):
                if pairs.met[opponent]:
                    self.totals[opponent] = _less(totals, pairs.as_seen_by(opponent))
        for number in self.struck:
            self.totals[number] = Totals()

    def sums(self) -> dict[int, Sums]:
        rivals = self._rivals()
        score_of = [totals.score for totals in self.totals]
        direct, berger = [0] * len(score_of), [0] * len(score_of)
        for number, scores in self.tallies.scores():
            if number not in self.struck:
                direct[number] = sum(scores[rival] for rival in rivals.get(number, ()))
                berger[number] = sum(map(mul, scores, score_of))
        return {number: self._sums(number, direct[number], berger[number]) for number in range(len(score_of))}

    def explain(self, number: int) -> dict[str, tuple[Term, ...]]:
        own = self.tallies.pairs([number]).get(number)
        rivals = self._rivals().get(number, frozenset())
        met = [] if own is None or number in self.struck else [
            opponent for opponent, often in enumerate(own.met) if often and opponent not in self.struck
        ]
        terms = {opponent: self._terms(own, opponent, opponent in rivals) for opponent in met if own is not None}
        return {
            name: tuple(Term(opponent, values[place]) for opponent, values in terms.items())
            for place, name in enumerate(TIE_BREAKS)
        }

    def _terms(self, own: Pairs, opponent: int, is_rival: bool) -> tuple[Fraction, ...]:
        """What an opponent adds to each criterion, in the order of `TIE_BREAKS`."""
        score = own.scores[opponent]
        return (
            Fraction(score, 2),
            Fraction(own.points[opponent], 2),
            Fraction(score if is_rival else 0, 2),
            Fraction(score * self.totals[opponent].score, 4),
            Fraction((score - own.drawn[opponent]) // 2),
        )

    def _sums(self, number: int, direct: int, berger: int) -> Sums:
        totals = self.totals[number]
        return Sums(
            totals.matches,
            totals.wins,
            totals.draws,
            totals.losses,
            totals.score,
            totals.points,
            direct,
            berger,
            number in self.struck,
            number in self.withdrawn,
        )

    def _rivals(self) -> dict[int, frozenset[int]]:
        """Per entrant, those among whom direct encounter decides: equal so far, and all have met equally often."""
        equals = defaultdict(set)
        for number, totals in enumerate(self.totals):
            if totals.score:            # who has none has met nobody who has none
                equals[totals.score, totals.points].add(number)
        groups = [frozenset(group) for group in equals.values() if len(group) > 1]
        pairs = self.tallies.pairs(frozenset().union(*groups)) if groups else {}
        return {number: group for group in groups if _all_met(group, pairs) for number in group}


def _less(totals: Totals, others: Totals) -> Totals:
    return Totals(*(getattr(totals, name) - getattr(others, name) for name in Totals.__slots__))


def _all_met(group: frozenset[int], pairs: Mapping[int, Pairs]) -> bool:
    often = {pairs[number].met[opponent] for number in group for opponent in group if number < opponent}
    return len(often) == 1 and 0 not in often
