"""The listener of the worker that dispatches: it sends what a ring is about, and outlives Redis and our mistakes."""

import time
from collections.abc import Iterator

import pytest

from arena.services import tournaments
from arena.services.dispatch import Batch
from arena.store.bell import KEY
from arena.store.session import Store
from tests.support.people import active_bots, register
from tests.support.redis_server import RedisServer
from workers import lifecycle, listening, process, tasks
from workers.celery_app import app
from workers.listening import Listener

pytestmark = pytest.mark.services
PATIENCE_SECONDS = 20


class Post:
    """Takes messages; refuses the first ones if it is told to."""

    def __init__(self, mistakes: int = 0) -> None:
        self.batches: list[Batch] = []
        self.mistakes = mistakes            # still to be made

    def __call__(self, batch: Batch) -> None:
        if self.mistakes:
            self.mistakes -= 1
            raise KeyError("a mistake of ours")
        self.batches.append(batch)


@pytest.fixture(autouse=True)
def not_stopping() -> Iterator[None]:
    yield
    process._stopping[0] = 0


def start_a_cup(store: Store, name: str) -> None:
    active_bots(store, [f"{name}-a", f"{name}-b"])
    maker = register(store, f"maker-of-{name}")
    cup = tournaments.create(store, maker, name=name, ruleset="oware", bots=[f"{name}-a", f"{name}-b"])
    tournaments.start(store, maker, cup.id)


def wait_for(post: Post, messages: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len(post.batches) < messages and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(post.batches) >= messages


def wait_for_the_mistake(post: Post) -> None:
    """Else what is started next may be queued with it, and waits for its tick."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while post.mistakes and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not post.mistakes


def listener(store: Store, post: Post) -> Listener:
    return Listener(lambda: Store.open(store.settings), post)


def test_what_is_started_is_sent_without_a_tick(store_with_boards: Store) -> None:
    post = Post()
    hearing = listener(store_with_boards, post)
    hearing.start()
    start_a_cup(store_with_boards, "cup")
    wait_for(post, 1)
    hearing.stop()


def test_what_was_started_before_it_listened_is_sent_too(store_with_boards: Store) -> None:
    start_a_cup(store_with_boards, "cup")
    post = Post()
    hearing = listener(store_with_boards, post)
    hearing.start()
    wait_for(post, 1)
    hearing.stop()


def test_a_stopping_worker_sends_nothing(
    store_with_boards: Store, redis_server_of_the_session: RedisServer
) -> None:
    process.stop()
    post = Post()
    hearing = listener(store_with_boards, post)
    hearing.start()
    start_a_cup(store_with_boards, "cup")
    with redis_server_of_the_session.client() as client:
        while client.exists(KEY):
            time.sleep(0.01)
    hearing.stop()
    assert post.batches == []


def test_it_goes_on_after_redis_was_away_and_after_a_mistake(
    store_with_boards: Store, redis_server_of_the_session: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "PAUSE_SECONDS", 0.01)
    post = Post(mistakes=1)
    hearing = listener(store_with_boards, post)
    hearing.start()
    redis_server_of_the_session.stop()
    redis_server_of_the_session.start()
    start_a_cup(store_with_boards, "cup")
    wait_for_the_mistake(post)
    start_a_cup(store_with_boards, "another")
    wait_for(post, 1)
    hearing.stop()


@pytest.mark.parametrize("dispatches", [False, True])
def test_only_the_worker_that_dispatches_listens_and_only_while_it_has_the_queue(
    monkeypatch: pytest.MonkeyPatch, dispatches: bool
) -> None:
    """Celery also stops what it could not start."""
    told: list[str] = []

    class Told:
        def __init__(self, open_store: object, publish: object) -> None:
            assert publish is tasks.publish

        def start(self) -> None:
            told.append("start")

        def stop(self) -> None:
            told.append("stop")

    monkeypatch.setattr(lifecycle, "Listener", Told)
    monkeypatch.setattr(lifecycle.Role, "dispatches", dispatches)
    assert lifecycle.Listening in app.steps["consumer"]
    step = lifecycle.Listening(None)
    step.stop(None)
    step.start(None)
    step.stop(None)
    assert told == ["start", "stop"] * dispatches
