"""Nobody stands by while others have matches before them: what waits in a message is sent again, and played once."""

import pytest

from arena.services import dispatch, results, tournaments
from arena.services.assignments import Assignment
from arena.store.accounts import User
from arena.store.session import Store
from arena.store.tournaments import FINISHED
from tests.support import field
from tests.support.cup import started
from tests.support.field import Moment, Post
from tests.support.people import active_bots, register
from tests.support.virtual_arena import VirtualArena

BOTS = [f"bot-{number}" for number in range(10)]            # a cycle has 45 matches


@pytest.fixture
def maker(any_store: Store) -> User:
    active_bots(any_store, BOTS)
    return register(any_store, "maker")


def messages(store: Store, slots: int) -> tuple[Post, Moment]:
    """A tournament of which everything is in messages, and a worker with so many slots."""
    moment, post = Moment(), Post()
    dispatch.register_worker(store, "w1", slots, "A", moment)
    while dispatch.dispatch_next(store, post, moment):
        for batch in post.batches:
            for assignment in dispatch.claim_each(store, "w1", batch[:1], moment):
                results.ingest(store, assignment, field.play(assignment.setup), 100, moment)
    return post, moment


@pytest.mark.parametrize("workers", [2, 3])
def test_a_tournament_ends_for_all_workers_at_once(any_store: Store, maker: User, workers: int) -> None:
    """Though the matches of its last message take much longer than was to be expected."""

    def seconds(assignment: Assignment) -> float:
        first = arena.played[0].match_id if arena.played else assignment.match_id
        return 0.1 if assignment.match_id - first < 36 else 1.0

    arena = VirtualArena(any_store, workers, seconds)
    cup = started(any_store, maker, name="cup", bots=BOTS, match_format="games-1").id
    took = arena.run(lambda: tournaments.show(any_store, cup).state == FINISHED)
    assert took <= (36 * 0.1 + 9 * 1.0) / workers + 1.0
    assert len({assignment.match_id for assignment in arena.played}) == len(arena.played) == 45
    assert {assignment.attempt for assignment in arena.played} == {1}


def test_what_waits_is_sent_again_from_its_end(any_store: Store, maker: User) -> None:
    started(any_store, maker, name="cup", bots=BOTS, match_format="games-1")
    post, moment = messages(any_store, 2)
    waiting = sorted(match_id for batch in post.take_all() for match_id in batch[1:])
    assert dispatch.go_on(any_store, post, moment) == -(-len(waiting) // 2)
    (again,) = post.batches
    assert list(again) == waiting[len(waiting) // 2 :]


def test_one_alone_sends_nothing_again(any_store: Store, maker: User) -> None:
    started(any_store, maker, name="cup", bots=BOTS, match_format="games-1")
    post, moment = messages(any_store, 1)
    post.take_all()
    assert dispatch.go_on(any_store, post, moment) == 0
    assert post.batches == []


def test_nothing_is_sent_again_of_what_was_paused(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker, name="cup", bots=BOTS, match_format="games-1").id
    post, moment = messages(any_store, 2)
    tournaments.pause(any_store, maker, cup)
    post.take_all()
    assert dispatch.go_on(any_store, post, moment) == 0
    assert post.batches == []


def test_what_is_sent_again_is_of_one_tournament(any_store: Store, maker: User) -> None:
    """A message is one owner's, and waits or goes first as a whole."""
    started(any_store, maker, name="first", bots=BOTS, match_format="games-1")
    started(any_store, register(any_store, "other"), name="second", bots=BOTS, match_format="games-1")
    moment, post = Moment(), Post()
    dispatch.register_worker(any_store, "w1", 2, "A", moment)
    while dispatch.dispatch_next(any_store, post, moment):
        pass
    post.take_all()
    assert dispatch.go_on(any_store, post, moment) > 0
    (again,) = post.batches
    assert len({field.state_of(any_store, match_id).tournament_id for match_id in again}) == 1


def test_of_a_message_only_what_is_still_queued_is_gone_through(any_store: Store, maker: User) -> None:
    started(any_store, maker, name="cup", bots=BOTS, match_format="games-1")
    post, moment = messages(any_store, 2)
    batch = max(post.take_all(), key=len)
    field.claim(any_store, batch[-1:], "w2", moment)
    assert dispatch.still_queued(any_store, batch) == batch[1:-1]       # the first one was played
