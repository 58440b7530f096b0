"""Which results count for the ratings."""

import pytest

from arena.ratings.eligibility import is_in_rated_cycle, may_be_rated


@pytest.mark.parametrize(
    ("owners", "counts"),
    [(("ama", "kofi"), True), (("ama", "ama"), False), (("arena", "arena"), True), (("arena", "ama"), True)],
)
def test_nobody_rates_his_own_bots_against_each_other_but_the_house(owners: tuple[str, str], counts: bool) -> None:
    assert may_be_rated(owners) is counts


@pytest.mark.parametrize(("cycles", "rated"), [(1, 6), (2, 12), (3, 12), (100, 12)])
def test_at_most_two_cycles_are_rated(cycles: int, rated: int) -> None:
    match_count = cycles * 6
    assert sum(is_in_rated_cycle(index, cycles, match_count) for index in range(match_count)) == rated
