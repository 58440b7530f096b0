"""Slots are shared between owners, and new bots go first: the services in virtual time."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from arena.services import dispatch, tournaments
from arena.services.turns import LATELY, Turn
from arena.store import shares
from arena.store.accounts import User
from arena.store.schema import matches
from arena.store.session import Store
from arena.store.tournaments import FINISHED
from tests.support import field
from tests.support.cup import started
from tests.support.field import Moment, Post
from tests.support.people import active_bots, register
from tests.support.virtual_arena import VirtualArena

SMALL = [f"small-{number}" for number in range(5)]          # a cycle of five has 10 matches
LARGE = [f"large-{number}" for number in range(5)]          # a hundred cycles have 1,000


@pytest.fixture
def makers(store: Store) -> tuple[User, User]:
    active_bots(store, SMALL + LARGE)
    return register(store, "small-maker"), register(store, "large-maker")


def start_small(store: Store, maker: User) -> int:
    return started(store, maker, name="small", bots=SMALL, match_format="games-1").id


def start_large(store: Store, maker: User, name: str = "large") -> int:
    return started(store, maker, name=name, bots=LARGE, match_format="games-1", cycles=100).id


def run_to_the_end(arena: VirtualArena, tournament_id: int) -> float:
    return arena.run(lambda: tournaments.show(arena.store, tournament_id).state == FINISHED)


@pytest.mark.parametrize(("workers", "seconds"), [(1, 0.4), (2, 0.4), (2, 0.05), (3, 2.0), (2, 9.0)])
def test_a_large_tournament_delays_another_owners_small_one_by_twice_its_time_at_most(
    store: Store, makers: tuple[User, User], workers: int, seconds: float
) -> None:
    arena = VirtualArena(store, workers, lambda assignment: seconds)
    arena.run_for(0.1)                           # the beat has just been: both wait for the next one
    alone = run_to_the_end(arena, start_small(store, makers[0]))
    large = start_large(store, makers[1])
    arena.run(lambda: tournaments.show(store, large).finished >= 12)
    beside = run_to_the_end(arena, started(store, makers[0], name="again", bots=SMALL, match_format="games-1").id)
    assert beside - alone <= 2 * alone
    assert tournaments.show(store, large).state != FINISHED


def test_one_owners_many_tournaments_share_what_is_one_owners(store: Store, makers: tuple[User, User]) -> None:
    arena = VirtualArena(store, 2, lambda assignment: 0.4)
    alone = run_to_the_end(arena, start_small(store, makers[0]))
    for number in range(4):
        start_large(store, makers[1], f"large-{number}")
    arena.run_for(5.0)
    beside = run_to_the_end(arena, started(store, makers[0], name="again", bots=SMALL, match_format="games-1").id)
    assert beside - alone <= 2 * alone


def test_owners_who_want_all_get_the_same_time(store: Store, makers: tuple[User, User]) -> None:
    seconds = {"small": 1.5, "large": 0.5}
    arena = VirtualArena(store, 2, lambda assignment: seconds[assignment.setup.bots[0].name[:5]])
    first = started(store, makers[0], name="slow", bots=SMALL, match_format="games-1", cycles=20).id
    second = start_large(store, makers[1])
    arena.run_for(40.0)
    spent = [1.5 * tournaments.show(store, first).finished, 0.5 * tournaments.show(store, second).finished]
    assert sum(spent) >= 0.9 * 2 * 40.0
    assert max(spent) <= 1.15 * min(spent)


def test_no_slot_is_idle_while_tournaments_take_turns(store: Store, makers: tuple[User, User]) -> None:
    arena = VirtualArena(store, 3, lambda assignment: 0.3)
    large = start_large(store, makers[1])
    arena.run_for(4.0)
    other = started(store, makers[0], name="other", bots=SMALL, match_format="games-1", cycles=20).id
    before, began = len(arena.played), arena.passed
    arena.run_for(10.0)
    possible = 3 * (arena.passed - began) / 0.3
    assert len(arena.played) - before >= 0.9 * possible
    assert tournaments.show(store, large).finished > tournaments.show(store, other).finished // 2


@pytest.mark.parametrize("workers", [1, 3])
def test_a_new_bot_is_qualified_before_more_of_a_tournament(
    store: Store, makers: tuple[User, User], workers: int
) -> None:
    arena = VirtualArena(store, workers, lambda assignment: 0.4)
    start_large(store, makers[1])
    arena.run_for(5.0)
    newcomer = field.add_qualification(store, field.add_bot(store, "newcomer", state="checking"))
    took = arena.run(lambda: field.state_of(store, newcomer).state == "finished")
    assert took <= 1.0 + 0.4 + 0.4 + 0.1         # until the beat, what is being played, its own


def test_a_flood_of_new_bots_leaves_half_of_the_slots_to_tournaments(
    store: Store, makers: tuple[User, User]
) -> None:
    arena = VirtualArena(store, 4, lambda assignment: 0.4)
    start_large(store, makers[1])
    arena.run_for(3.0)
    version_id = field.add_bot(store, "newcomer", state="checking")
    for _ in range(60):
        field.add_qualification(store, version_id)
    before = len(arena.played)
    arena.run_for(8.0)
    purposes = [assignment.purpose for assignment in arena.played[before:]]
    assert purposes.count("tournament") >= 0.4 * len(purposes)
    assert purposes.count("qualification") >= 0.3 * len(purposes)


def test_nothing_is_played_twice_however_often_it_is_put_back(any_store: Store) -> None:
    active_bots(any_store, SMALL + LARGE)
    arena = VirtualArena(any_store, 2, lambda assignment: 0.2)
    start_large(any_store, register(any_store, "large-maker"))
    arena.run_for(3.0)
    run_to_the_end(arena, start_small(any_store, register(any_store, "small-maker")))
    ids = [assignment.match_id for assignment in arena.played]
    assert len(ids) == len(set(ids))
    with any_store.read() as tx:
        assert tx.scalar(select(func.max(matches.c.attempt))) == 1


def test_what_one_process_has_leased_it_plays_one_after_the_other(any_store: Store) -> None:
    moment = Moment()
    field.add_tournament(any_store, [field.add_bot(any_store, name) for name in ("ada", "ben", "cleo")])
    dispatch.register_worker(any_store, "w1", 10, "A", moment)
    post = Post()
    dispatch.dispatch_next(any_store, post, moment)
    first, second, third = (match_id for batch in post.batches for match_id in batch)
    for match_id, worker in ((first, "w1"), (second, "w1"), (third, "w2")):
        field.claim(any_store, [match_id], worker, moment)
        moment.pass_seconds(1)
    with any_store.read() as tx:
        (served,) = shares.served(tx, moment.at - LATELY, moment.at).values()
    assert served == timedelta(seconds=3 + 1)


@pytest.mark.parametrize(("seconds", "is_over"), [(0.29, False), (0.31, True), (-3600.0, True)])
def test_a_turn_of_short_matches_is_asked_for_again_after_a_while(
    store: Store, makers: tuple[User, User], seconds: float, is_over: bool
) -> None:
    """Or when somebody has put the clock back, and nobody knows how long it was."""
    moment, post = Moment(), Post()
    start_large(store, makers[1])
    dispatch.dispatch_next(store, post, moment)
    match_id = post.batches[0][0]
    turn = Turn(store, moment)
    assert not turn.is_over(match_id)
    field.add_qualification(store, field.add_bot(store, "newcomer", state="checking"))
    dispatch.dispatch_next(store, post, moment)
    moment.pass_seconds(seconds)
    assert turn.is_over(match_id) is is_over
