"""Tables out of sums are the tables out of results, line by line; crosstables, too."""

import random
from collections.abc import Collection, Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament import tally
from arena.tournament.round_robin import match_count, pairing_at
from arena.tournament.standings import Result, crosstable, explain, standings
from arena.tournament.tally import Pairs, Tally, Totals, count


class Kept:
    """Tallies in memory; who has not played has none."""

    def __init__(self, entrants: int, results: Collection[Result]) -> None:
        self.entrants = entrants
        self.tallies: dict[int, Tally] = {}
        for result in results:
            first, second = (self.tallies.setdefault(number, Tally.of_none(entrants)) for number in (
                result.first, result.second
            ))
            count(first, second, result)

    def totals(self) -> list[Totals]:
        return [
            self.tallies[number].totals if number in self.tallies else Totals() for number in range(self.entrants)
        ]

    def scores(self) -> Iterator[tuple[int, Sequence[int]]]:
        return ((number, kept.pairs.scores) for number, kept in self.tallies.items())

    def pairs(self, numbers: Collection[int]) -> dict[int, Pairs]:
        return {number: self.tallies[number].pairs for number in numbers if number in self.tallies}


@st.composite
def events(draw: st.DrawFn) -> tuple[int, int, list[Result], frozenset[int]]:
    """Entrants, cycles, the results of a part of the schedule, and who has left."""
    entrants, cycles = draw(st.integers(2, 9)), draw(st.integers(1, 3))
    choice = random.Random(draw(st.integers(0, 10**9)))
    scores = draw(st.sampled_from([[(2, 0), (1, 1), (0, 2)], [(1, 1)], [(2, 0), (0, 2)]]))
    played = draw(st.sampled_from([0.2, 0.7, 1.0]))
    results = []
    for index in range(match_count(entrants, cycles)):
        pairing = pairing_at(entrants, cycles, index)
        if choice.random() < played:
            points = (choice.randrange(3), choice.randrange(2))
            results.append(Result(pairing.first, pairing.second, choice.choice(scores), points))
    return entrants, cycles, results, frozenset(draw(st.sets(st.integers(0, entrants - 1), max_size=3)))


@given(events())
def test_the_table_of_sums_is_the_table_of_results(event: tuple[int, int, list[Result], frozenset[int]]) -> None:
    entrants, cycles, results, withdrawn = event
    expected = standings(range(entrants), results, withdrawn, cycles=cycles)
    assert tally.standings(Kept(entrants, results), withdrawn, cycles=cycles) == expected


@given(events())
def test_the_cells_are_those_of_the_crosstable(event: tuple[int, int, list[Result], frozenset[int]]) -> None:
    entrants, cycles, results, _ = event
    pairs = Kept(entrants, results).pairs(range(entrants))
    cells = {
        (number, opponent): cell
        for number, kept in pairs.items() for opponent in range(entrants) if (cell := kept.cell(opponent)) is not None
    }
    assert cells == crosstable(range(entrants), results, cycles=cycles)


@given(events())
def test_both_sides_of_a_pair_tell_the_same(event: tuple[int, int, list[Result], frozenset[int]]) -> None:
    entrants, _, results, _ = event
    kept = Kept(entrants, results)
    for number, own in kept.tallies.items():
        seen = [other.pairs.as_seen_by(number) for other in kept.tallies.values() if other is not own]
        for name in Totals.__slots__:
            assert sum(getattr(totals, name) for totals in seen) == getattr(own.totals, name)


def test_a_pair_may_meet_very_often() -> None:
    first, second = Tally.of_none(2), Tally.of_none(2)
    for _ in range(20_000):
        count(first, second, Result(0, 1, (2, 0), (24, 1)))
    assert (first.pairs.scores[1], first.pairs.points[1], second.pairs.conceded[0]) == (40_000, 480_000, 480_000)


@given(events())
def test_the_terms_are_those_of_the_results(event: tuple[int, int, list[Result], frozenset[int]]) -> None:
    entrants, cycles, results, withdrawn = event
    for number in range(entrants):
        expected = explain(number, range(entrants), results, withdrawn, cycles=cycles)
        assert tally.explain(Kept(entrants, results), number, withdrawn, cycles=cycles) == expected
