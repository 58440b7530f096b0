import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.elo import Rated, rate
from arena.ratings.ledger import INHERIT, MATCH, LedgerRow, RatedResult, RatedVersion, Rating, Step, fold, rebuild

ALICE, BOB, CARL = 1, 2, 3


def version(bot: int, number: int = 1) -> RatedVersion:
    return RatedVersion(bot, number)


def result(match: int, first: RatedVersion, second: RatedVersion, score: tuple[int, int] = (2, 0)) -> RatedResult:
    return RatedResult(match, first, second, score)


@st.composite
def histories(draw: st.DrawFn) -> list[RatedResult]:
    """Results among a few bots whose versions come and go, old ones late, too."""
    dice = random.Random(draw(st.integers(0, 10**9)))
    made = []
    for match in range(draw(st.integers(0, 120))):
        first, second = dice.sample(range(5), 2)
        made.append(
            result(
                match, version(first, dice.randint(1, 3)), version(second, dice.randint(1, 3)),
                dice.choice([(2, 0), (1, 1), (0, 2)]),
            )
        )
    return made


def rows_of(steps: list[Step]) -> list[LedgerRow]:
    return [row for step in steps for row in step.rows]


def test_a_first_match_begins_at_1500() -> None:
    step = fold({}, result(7, version(ALICE), version(BOB), (2, 0)))
    assert step.rows == (
        LedgerRow(MATCH, 7, version(ALICE), 1500, 1520, 0.5, 40, 2, version(BOB), 1500),
        LedgerRow(MATCH, 7, version(BOB), 1500, 1480, 0.5, 40, 0, version(ALICE), 1500),
    )
    assert step.ratings == {version(ALICE): Rating(1520, 1, 1, 0, 0), version(BOB): Rating(1480, 1, 0, 0, 1)}


def test_a_draw_is_counted() -> None:
    step = fold({}, result(1, version(ALICE), version(BOB), (1, 1)))
    assert set(step.ratings.values()) == {Rating(1500, 1, 0, 1, 0)}


def test_a_new_version_takes_over_and_is_provisional_again() -> None:
    state = {version(ALICE, 1): Rating(1700, 31, 20, 5, 6), version(BOB): Rating(1700, 40, 20, 0, 20)}
    assert not state[version(ALICE, 1)].is_provisional
    step = fold(state, result(9, version(ALICE, 2), version(BOB), (2, 0)))
    assert step.rows[0] == LedgerRow(INHERIT, 9, version(ALICE, 2), before=1500, after=1700)
    assert [(row.kind, row.version, row.before, row.after, row.k) for row in step.rows[1:]] == [
        (MATCH, version(ALICE, 2), 1700, 1720, 40), (MATCH, version(BOB), 1700, 1690, 20),
    ]
    assert step.ratings[version(ALICE, 2)] == Rating(1720, 1, 1, 0, 0)
    assert step.ratings[version(ALICE, 2)].is_provisional
    assert version(ALICE, 1) not in step.ratings, "the old version stays where it was"


def test_both_may_take_over_in_one_match() -> None:
    state = {version(ALICE): Rating(1600, 5), version(BOB): Rating(1400, 5)}
    step = fold(state, result(3, version(ALICE, 2), version(BOB, 4)))
    assert [(row.kind, row.version, row.after) for row in step.rows[:2]] == [
        (INHERIT, version(ALICE, 2), 1600), (INHERIT, version(BOB, 4), 1400),
    ]
    assert step.rows[2].opponent_before == 1400


def test_the_nearest_version_before_it_that_is_rated_is_the_predecessor() -> None:
    state = {version(ALICE, 1): Rating(1400, 3), version(ALICE, 3): Rating(1600, 3), version(ALICE, 9): Rating(1900, 3)}
    step = fold(state, result(3, version(ALICE, 5), version(BOB)))
    assert step.rows[0].after == 1600


def test_a_later_version_is_no_predecessor() -> None:
    step = fold({version(ALICE, 2): Rating(1800, 3)}, result(3, version(ALICE, 1), version(BOB)))
    assert [row.kind for row in step.rows] == [MATCH, MATCH]
    assert step.rows[0].before == 1500


def test_a_version_takes_over_once() -> None:
    state = {version(ALICE, 1): Rating(1800, 3), version(ALICE, 2): Rating(1500, 1)}
    step = fold(state, result(3, version(ALICE, 2), version(BOB)))
    assert [row.kind for row in step.rows] == [MATCH, MATCH]


def test_another_bot_is_no_predecessor() -> None:
    step = fold({version(CARL, 1): Rating(1800, 3)}, result(3, version(ALICE, 2), version(BOB)))
    assert [row.before for row in step.rows] == [1500, 1500]


def test_a_bot_is_not_rated_against_itself() -> None:
    with pytest.raises(ValueError, match="match 4 is between versions of one bot"):
        fold({}, result(4, version(ALICE, 1), version(ALICE, 2)))


def test_no_rating_is_made_of_a_score_that_is_none() -> None:
    with pytest.raises(ValueError, match="2:0"):
        fold({}, result(4, version(ALICE), version(BOB), (0, 0)))


@given(histories())
def test_live_and_rebuilt_agree_exactly(history: list[RatedResult]) -> None:
    """Live, each step sees only the versions of its two bots, as they come from the database."""
    stored: dict[RatedVersion, Rating] = {}
    live = []
    for each in history:
        bots = (each.first.bot, each.second.bot)
        loaded = {key: rating for key, rating in stored.items() if key.bot in bots}
        before = dict(loaded)
        live.append(fold(loaded, each))
        assert loaded == before, "the step changes nothing by itself"
        stored.update(live[-1].ratings)
    assert live == list(rebuild(history))


@given(histories())
def test_the_rows_of_a_version_join_to_its_rating(history: list[RatedResult]) -> None:
    steps = list(rebuild(history))
    final = {key: rating for step in steps for key, rating in step.ratings.items()}
    for key, rating in final.items():
        rows = [row for row in rows_of(steps) if row.version == key]
        assert [row.before for row in rows] == [1500, *(row.after for row in rows[:-1])]
        assert rows[-1].after == rating.rating
        assert [row.kind for row in rows[1:]] == [MATCH] * (len(rows) - 1)
        played = [row for row in rows if row.kind == MATCH]
        assert rating.matches == len(played) == rating.wins + rating.draws + rating.losses
        assert rating.wins == sum(row.score == 2 for row in played)
        assert [row.k for row in played] == [40 if number < 30 else 20 for number in range(len(played))]


@given(histories())
def test_every_match_row_explains_itself(history: list[RatedResult]) -> None:
    for step in rebuild(history):
        first, second = (row for row in step.rows if row.kind == MATCH)
        assert (first.opponent, second.opponent) == (second.version, first.version)
        assert (first.opponent_before, second.opponent_before) == (second.before, first.before)
        for row in (first, second):
            assert row.k is not None
            assert row.score is not None
            assert row.expected is not None
            assert row.after == round(row.before + row.k * (row.score / 2 - row.expected), 6)


def test_one_or_forty_workers_give_the_same_ledger() -> None:
    """The order of the fold is the order of the results, so it does not matter who played them when."""
    history = [result(match, version(match % 4), version(4 + match % 3), (2, 0)) for match in range(200)]
    arrived = random.Random(1).sample(history, len(history))
    assert list(rebuild(sorted(arrived, key=lambda each: each.match))) == list(rebuild(history))
    assert list(rebuild(arrived)) != list(rebuild(history))


def test_a_step_is_elo() -> None:
    state = {version(ALICE): Rating(1612.5, 40), version(BOB): Rating(1488.25, 3)}
    step = fold(state, result(1, version(ALICE), version(BOB), (0, 2)))
    assert tuple(row.after for row in step.rows) == tuple(
        change.after for change in rate(Rated(1612.5, 40), Rated(1488.25, 3), (0, 2))
    )


def test_the_same_result_twice_is_two_results() -> None:
    """Counting once is the business of who calls; the fold itself has no memory of matches."""
    once = result(1, version(ALICE), version(BOB))
    steps = list(rebuild([once, replace(once, match=2)]))
    assert steps[1].rows[0].before == steps[0].rows[0].after
