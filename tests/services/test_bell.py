"""Whatever gives workers something to do rings the bell, after the commit; and goes on without Redis."""

import pytest

from arena.errors import NotFound, SandboxLost
from arena.services import bots, dispatch, results, tournaments
from arena.store import leases
from arena.store.accounts import User
from arena.store.session import Store
from tests.support import field
from tests.support.field import Post
from tests.support.people import active_bots, admin, register

NAMES = ("ada", "ben")
SOURCE = b"def choose_move(position):\n    return position.legal_moves()[0]\n"


def a_cup(store: Store) -> tuple[User, int]:
    """Its maker, and its number; it is not started."""
    active_bots(store, NAMES)
    maker = register(store, "maker")
    return maker, tournaments.create(store, maker, name="cup", ruleset="oware", bots=NAMES).id


@pytest.mark.services
def test_a_tournament_that_starts_or_goes_on_rings(store_with_boards: Store) -> None:
    store = store_with_boards
    maker, cup = a_cup(store)
    assert store.bell.is_rung()         # for the bots
    assert not store.bell.is_rung()
    tournaments.start(store, maker, cup)
    assert store.bell.is_rung()
    tournaments.pause(store, maker, cup)
    assert not store.bell.is_rung()
    tournaments.start(store, maker, cup)
    assert store.bell.is_rung()


@pytest.mark.services
def test_a_tournament_that_is_refused_rings_nothing(store_with_boards: Store) -> None:
    store = store_with_boards
    maker, cup = a_cup(store)
    assert store.bell.is_rung()         # for the bots
    with pytest.raises(NotFound):
        tournaments.start(store, maker, cup + 1)
    assert not store.bell.is_rung()


@pytest.mark.services
def test_a_new_version_rings(store_with_boards: Store) -> None:
    store = store_with_boards
    owner = register(store, "owner")
    bots.submit(store, owner, "newcomer", "oware", "bot.py", SOURCE)
    assert store.bell.is_rung()
    bots.submit_version(store, owner, "newcomer", "bot.py", SOURCE)
    assert store.bell.is_rung()


@pytest.mark.services
def test_void_matches_that_are_to_be_played_again_ring(store_with_boards: Store) -> None:
    store = store_with_boards
    cup = field.add_tournament(store, [field.add_bot(store, name) for name in NAMES], state="running")
    post = Post()
    dispatch.dispatch_next(store, post)
    for _ in range(leases.MAX_FAILURES):
        (assignment,) = field.claim(store, post.batches.pop())
        results.report_fault(store, assignment, SandboxLost("it is gone"))
        dispatch.dispatch_next(store, post)
    tournaments.rerun_void(store, admin(store), cup)
    assert store.bell.is_rung()


def test_without_redis_a_tournament_starts_as_well(store: Store) -> None:
    maker, cup = a_cup(store)
    assert tournaments.start(store, maker, cup).state == "running"
