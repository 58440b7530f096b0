"""Every schedule of 2 to 60 entrants is looked at whole; larger ones are sampled."""

import tracemalloc
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import Invalid
from arena.tournament.round_robin import Pairing, bye_of, match_count, pairing_at, places_of, rounds

FIELDS = range(2, 61)


def schedule(entrants: int, cycles: int = 1) -> list[Pairing]:
    return [pairing_at(entrants, cycles, index) for index in range(match_count(entrants, cycles))]


def met(pairing: Pairing) -> frozenset[int]:
    return frozenset((pairing.first, pairing.second))


@pytest.mark.parametrize("entrants", FIELDS)
def test_every_pair_meets_once_a_cycle(entrants: int) -> None:
    everyone = {frozenset((a, b)) for a in range(entrants) for b in range(a)}
    pairings = schedule(entrants, 3)
    for cycle in range(3):
        meetings = [met(pairing) for pairing in pairings if pairing.cycle == cycle]
        assert len(meetings) == len(everyone)
        assert set(meetings) == everyone


@pytest.mark.parametrize("entrants", FIELDS)
def test_nobody_plays_twice_in_a_round_and_one_rests_when_odd(entrants: int) -> None:
    pairings = schedule(entrants, 2)
    assert [pairing.round for pairing in pairings] == sorted(pairing.round for pairing in pairings)
    for number in range(rounds(entrants, 2)):
        playing = [seat for p in pairings if p.round == number for seat in (p.first, p.second)]
        resting = set(range(entrants)) - set(playing)
        assert len(playing) == len(set(playing)) == entrants - entrants % 2
        assert resting == ({bye_of(entrants, number)} if entrants % 2 else set())
        assert bye_of(entrants, number) is None or entrants % 2


@pytest.mark.parametrize("entrants", range(3, 61, 2))
def test_byes_go_round_once_a_cycle(entrants: int) -> None:
    assert sorted(bye_of(entrants, number) or 0 for number in range(rounds(entrants, 1))) == list(range(entrants))


@pytest.mark.parametrize("entrants", FIELDS)
@pytest.mark.parametrize("cycles", [1, 2, 3])
def test_the_first_seat_is_shared_evenly(entrants: int, cycles: int) -> None:
    """How often each is first differs by one at most: between entrants, and from being second."""
    for cycle_set in ([*range(cycles)], *([cycle] for cycle in range(cycles))):
        chosen = [pairing for pairing in schedule(entrants, cycles) if pairing.cycle in cycle_set]
        firsts = Counter(dict.fromkeys(range(entrants), 0))
        firsts.update(pairing.first for pairing in chosen)
        seconds = Counter(pairing.second for pairing in chosen)
        assert max(firsts.values()) - min(firsts.values()) <= 1
        assert all(abs(firsts[number] - seconds[number]) <= 1 for number in range(entrants))


@pytest.mark.parametrize("entrants", FIELDS)
def test_the_second_cycle_exchanges_the_seats(entrants: int) -> None:
    pairings = schedule(entrants, 2)
    half = len(pairings) // 2
    for once, again in zip(pairings[:half], pairings[half:], strict=True):
        assert (again.first, again.second) == (once.second, once.first)
        assert again.round == once.round + rounds(entrants, 1)


def test_golden_schedules() -> None:
    assert [(p.first, p.second) for p in schedule(2, 2)] == [(1, 0), (0, 1)]
    assert [(p.round, p.first, p.second) for p in schedule(5)] == [
        (0, 1, 4), (0, 2, 3), (1, 2, 0), (1, 3, 4), (2, 3, 1), (2, 4, 0), (3, 4, 2), (3, 0, 1), (4, 0, 3), (4, 1, 2),
    ]


@given(st.integers(2, 5_000), st.integers(1, 4), st.data())
def test_any_place_of_any_schedule_is_a_pairing(entrants: int, cycles: int, data: st.DataObject) -> None:
    total = match_count(entrants, cycles)
    pairing = pairing_at(entrants, cycles, data.draw(st.integers(0, total - 1)))
    assert pairing.first != pairing.second
    assert {pairing.first, pairing.second} <= set(range(entrants))
    assert 0 <= pairing.round < rounds(entrants, cycles)
    assert 0 <= pairing.cycle < cycles
    assert bye_of(entrants, pairing.round) not in (pairing.first, pairing.second)


def test_a_large_schedule_takes_no_memory() -> None:
    tracemalloc.start()
    try:
        assert match_count(1_000_000, 1) == 499_999_500_000
        assert pairing_at(1_000_000, 1, 499_999_499_999).round == 999_998
        assert tracemalloc.get_traced_memory()[1] < 10_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("index", [-1, 6])
def test_no_match_stands_outside_the_schedule(index: int) -> None:
    with pytest.raises(IndexError, match=f"match {index} of a schedule of 6"):
        pairing_at(4, 1, index)


@pytest.mark.parametrize(("entrants", "cycles", "field"), [(1, 1, "bots"), (0, 1, "bots"), (2, 0, "cycles")])
def test_a_tournament_without_matches_is_refused(entrants: int, cycles: int, field: str) -> None:
    with pytest.raises(Invalid) as refusal:
        match_count(entrants, cycles)
    assert refusal.value.field == field


@given(st.integers(2, 40), st.integers(1, 3))
def test_two_meet_at_the_places_that_the_schedule_says(entrants: int, cycles: int) -> None:
    meetings: dict[frozenset[int], list[int]] = {}
    for index in range(match_count(entrants, cycles)):
        pairing = pairing_at(entrants, cycles, index)
        meetings.setdefault(frozenset((pairing.first, pairing.second)), []).append(index)
    for pair, indexes in meetings.items():
        one, other = pair
        assert places_of(entrants, cycles, one, other) == tuple(indexes) == places_of(entrants, cycles, other, one)


@pytest.mark.parametrize("pair", [(2, 2), (0, 4), (-1, 0)])
def test_only_two_entrants_meet(pair: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="are not two of 4 entrants"):
        places_of(4, 1, *pair)
