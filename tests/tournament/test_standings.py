"""Tables, tie-breaks and withdrawals; a slow table of plain fractions, written apart, is the oracle."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.round_robin import match_count, pairing_at
from arena.tournament.standings import TIE_BREAKS, Cell, Result, Standing, crosstable, explain, standings


def beat(first: int, second: int, points: tuple[int, int] = (4, 0)) -> Result:
    return Result(first, second, (2, 0), points)


def drew(first: int, second: int, points: tuple[int, int] = (2, 2)) -> Result:
    return Result(first, second, (1, 1), points)


def ranks(table: list[Standing]) -> list[tuple[int, int]]:
    return [(line.number, line.rank) for line in table]


def tie_break(line: Standing, name: str) -> Fraction:
    return next(each.value for each in line.tie_breaks if each.name == name)


def results_of(entrants: int, cycles: int, choice: random.Random) -> list[Result]:
    results = []
    for index in range(match_count(entrants, cycles)):
        pairing = pairing_at(entrants, cycles, index)
        score = choice.choice([(2, 0), (1, 1), (0, 2)])
        results.append(Result(pairing.first, pairing.second, score, (choice.randrange(3), choice.randrange(3))))
    return results


fields = st.builds(
    lambda entrants, cycles, seed: (entrants, cycles, results_of(entrants, cycles, random.Random(seed))),
    st.integers(2, 9), st.integers(1, 2), st.integers(0, 10**9),
)


def test_a_win_is_two_half_points_and_a_draw_one() -> None:
    first, second, third = standings(range(3), [beat(0, 1, (3, 1)), drew(2, 0), drew(1, 2)])
    assert (first.number, first.matches, first.wins, first.draws, first.losses) == (0, 2, 1, 1, 0)
    assert (first.score, first.points) == (3, 5)
    assert [(line.number, line.score, line.points) for line in (second, third)] == [(2, 2, 4), (1, 1, 3)]


def test_before_the_first_match_all_share_the_first_rank() -> None:
    assert ranks(standings([2, 0, 1], [])) == [(0, 1), (1, 1), (2, 1)]


def test_the_tie_breaks_are_declared_in_this_order() -> None:
    assert TIE_BREAKS == ("match points", "game points", "direct encounter", "Sonneborn-Berger", "wins")
    line = standings(range(2), [beat(0, 1)])[0]
    assert tuple(each.name for each in line.tie_breaks) == TIE_BREAKS


def test_game_points_break_a_tie_of_match_points() -> None:
    table = standings(range(3), [beat(0, 1, (3, 1)), beat(1, 2, (4, 0)), beat(2, 0, (3, 1))])
    assert ranks(table) == [(1, 1), (0, 2), (2, 3)]


def test_the_direct_encounter_breaks_a_tie_of_both() -> None:
    """0 and 1 have 4 match points and 8 game points each; 1 won their match."""
    results = [beat(1, 0), beat(0, 2), beat(0, 3), beat(2, 1), beat(1, 3), drew(2, 3, (3, 1))]
    table = standings(range(4), results)
    assert ranks(table)[:2] == [(1, 1), (0, 2)]
    assert [tie_break(line, "direct encounter") for line in table[:2]] == [Fraction(1), Fraction(0)]


def test_the_direct_encounter_does_not_count_unless_all_have_met() -> None:
    """0 and 1 met, 2 is as good and met neither: nothing can be said of the three."""
    results = [drew(0, 1), drew(2, 3, (2, 2))]
    assert all(tie_break(line, "direct encounter") == 0 for line in standings(range(4), results))


def test_the_direct_encounter_does_not_count_unless_all_have_met_equally_often() -> None:
    results = [drew(0, 1), drew(0, 1), drew(1, 2), drew(0, 2), drew(2, 3), drew(3, 2)]
    equal = [line for line in standings(range(3), results[:4]) if line.score == 3]
    assert [tie_break(line, "direct encounter") for line in equal] == [Fraction(1), Fraction(1)]
    assert {tie_break(line, "direct encounter") for line in standings(range(4), results) if line.score == 4} == {0}


CIRCLE = [beat(0, 1), beat(1, 2), beat(2, 0), drew(3, 0), drew(3, 1), drew(3, 2)]       # 3 draws with all


def test_sonneborn_berger_adds_the_beaten_and_half_of_the_drawn() -> None:
    """0 and 1 drew; 0 beat the leader, 1 beat the last."""
    table = standings(range(4), [drew(0, 1), beat(0, 2), beat(3, 0), beat(1, 3), beat(2, 1), beat(2, 3)])
    assert ranks(table) == [(2, 1), (0, 2), (1, 3), (3, 4)]
    drawn_with = Fraction(1, 2) * Fraction(3, 2)
    assert tie_break(table[1], "Sonneborn-Berger") == Fraction(2) + drawn_with
    assert tie_break(table[2], "Sonneborn-Berger") == Fraction(1) + drawn_with


def test_the_direct_encounter_comes_before_sonneborn_berger() -> None:
    """3 beat 1, though 1 beat the leader and 3 nobody else."""
    table = standings(range(4), [beat(0, 1), beat(1, 2), beat(2, 0), beat(0, 3), beat(3, 1), beat(2, 3)])
    assert ranks(table) == [(2, 1), (0, 2), (3, 3), (1, 4)]
    assert tie_break(table[2], "Sonneborn-Berger") < tie_break(table[3], "Sonneborn-Berger")


def test_wins_break_the_last_tie() -> None:
    """Three win in a circle and one draws with all: all four are equal in everything but wins."""
    table = standings(range(4), CIRCLE)
    assert len({line.tie_breaks[:-1] for line in table}) == 1
    assert ranks(table) == [(0, 1), (1, 1), (2, 1), (3, 4)]


def test_full_equality_shares_the_rank_and_the_next_one_is_skipped() -> None:
    results = [beat(0, 1), beat(1, 2), beat(2, 0), *(beat(number, 3) for number in range(3))]
    assert ranks(standings(range(4), results)) == [(0, 1), (1, 1), (2, 1), (3, 4)]


@given(fields)
def test_the_terms_add_up_to_the_values(field: tuple[int, int, list[Result]]) -> None:
    entrants, cycles, results = field
    for line in standings(range(entrants), results, cycles=cycles):
        terms = explain(line.number, range(entrants), results, cycles=cycles)
        assert list(terms) == list(TIE_BREAKS)
        for each in line.tie_breaks:
            assert sum(term.value for term in terms[each.name]) == each.value
            assert line.number not in [term.opponent for term in terms[each.name]]


def slow_table(entrants: int, results: list[Result]) -> list[tuple[int, tuple[Fraction, ...]]]:
    """Each entrant's criteria by their definitions, best first."""
    seen = [(r.first, r.second, r.score[0], r.points[0]) for r in results]
    seen += [(r.second, r.first, r.score[1], r.points[1]) for r in results]

    def score(a: int, among: set[int]) -> Fraction:
        return sum((Fraction(s, 2) for x, y, s, _ in seen if x == a and y in among), Fraction(0))

    everyone = set(range(entrants))
    points = {a: sum((Fraction(p, 2) for x, _, _, p in seen if x == a), Fraction(0)) for a in everyone}
    base = {a: (score(a, everyone), points[a]) for a in everyone}
    table = []
    for a in everyone:
        group = {b for b in everyone if base[b] == base[a]}
        berger = sum((Fraction(s, 2) * base[y][0] for x, y, s, _ in seen if x == a), Fraction(0))
        wins = sum((Fraction(1) for x, _, s, _ in seen if x == a and s == 2), Fraction(0))
        table.append((a, (*base[a], score(a, group), berger, wins)))
    return sorted(table, key=lambda line: line[1], reverse=True)


@given(fields)
def test_the_table_agrees_with_a_slow_one(field: tuple[int, int, list[Result]]) -> None:
    entrants, cycles, results = field
    table = standings(range(entrants), results, cycles=cycles)
    slow = slow_table(entrants, results)
    assert [tuple(each.value for each in line.tie_breaks) for line in table] == [values for _, values in slow]
    by_number = dict(slow)
    for line in table:
        assert tuple(each.value for each in line.tie_breaks) == by_number[line.number]
        assert line.rank == 1 + sum(values > by_number[line.number] for values in by_number.values())


@given(fields, st.randoms(use_true_random=False))
def test_neither_the_order_of_results_nor_the_numbers_matter(
    field: tuple[int, int, list[Result]], dice: random.Random
) -> None:
    entrants, cycles, results = field
    shuffled = dice.sample(results, len(results))
    table = standings(range(entrants), results, cycles=cycles)
    assert standings(range(entrants), iter(shuffled), cycles=cycles) == table
    named = dict(enumerate(dice.sample(range(100), entrants)))
    renamed = [Result(named[r.first], named[r.second], r.score, r.points) for r in results]
    before = {named[line.number]: (line.rank, line.tie_breaks) for line in table}
    assert before == {line.number: (line.rank, line.tie_breaks) for line in standings(named.values(), renamed)}


@given(fields)
def test_nothing_is_lost_or_counted_twice(field: tuple[int, int, list[Result]]) -> None:
    entrants, _, results = field
    table = standings(range(entrants), results)
    assert sum(line.score for line in table) == 2 * len(results)
    assert sum(line.wins for line in table) == sum(line.losses for line in table)
    assert all(line.matches == line.wins + line.draws + line.losses for line in table)
    cells = crosstable(range(entrants), results)
    for line in table:
        row = [cell for (number, _), cell in cells.items() if number == line.number]
        assert sum(cell.score for cell in row) == line.score
        assert sum(cell.points for cell in row) == line.points
        assert sum(cell.matches for cell in row) == line.matches


def test_the_crosstable_shows_both_views() -> None:
    cells = crosstable(range(3), [beat(0, 1, (3, 1)), drew(1, 0)])
    assert cells == {(0, 1): Cell(2, 3, 5), (1, 0): Cell(2, 1, 3)}


PLAYED = [beat(0, 1), beat(0, 2), beat(3, 0), beat(1, 2), beat(1, 3), beat(2, 3)]      # a whole cycle of four


@pytest.mark.parametrize(("finished", "counts"), [(0, False), (1, False), (2, True), (3, True)])
def test_a_withdrawn_bot_counts_if_it_played_at_least_half(finished: int, counts: bool) -> None:
    """It had three matches in one cycle: two are at least half, one is not."""
    results = [*PLAYED[:finished], *PLAYED[3:]]
    table = {line.number: line for line in standings(range(4), results, {0})}
    assert table[0].is_withdrawn
    assert table[0].matches == (finished if counts else 0)
    opponents_matches = [table[number].matches for number in (1, 2, 3)]
    assert opponents_matches == [2 + (counts and finished >= number) for number in (1, 2, 3)]
    assert (table[0].rank == 4) or counts


def test_half_of_the_matches_counts_all_cycles() -> None:
    assert standings(range(3), [beat(0, 1), beat(0, 2)], {0}, cycles=2)[0].number == 0
    assert standings(range(3), [beat(0, 1)], {0}, cycles=2)[-1].number == 0
    assert standings(range(3), [beat(0, 1), beat(0, 2)], {0}, cycles=3)[-1].number == 0


def test_a_struck_bot_stands_below_all_and_gives_nobody_points() -> None:
    """Its only match was won; it withdrew early, so even who has lost everything stands above it."""
    table = standings(range(4), [beat(0, 3), beat(1, 2), beat(1, 3), beat(2, 3)], {0})
    assert ranks(table) == [(1, 1), (2, 2), (3, 3), (0, 4)]
    assert (0, 3) not in crosstable(range(4), [beat(0, 3), beat(1, 2)], {0})


def test_two_withdrawn_bots_are_judged_alone() -> None:
    """Their match is half of what each had, so it counts for both."""
    table = standings(range(3), [beat(0, 1)], {0, 1})
    assert {line.number: line.matches for line in table} == {0: 1, 1: 1, 2: 0}


@pytest.mark.parametrize(
    "result",
    [Result(0, 1, (2, 1), (0, 0)), Result(0, 1, (1, 0), (0, 0)), beat(0, 0), beat(0, 7), beat(7, 0)],
)
def test_what_is_no_result_is_refused(result: Result) -> None:
    with pytest.raises(ValueError, match="Result"):
        standings(range(2), [result])
