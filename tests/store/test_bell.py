"""The bell on a real Redis: heard once, kept for who comes later, and no more than one ring ever waits."""

import threading
from collections.abc import Iterator

import pytest

from arena.errors import BoardsUnavailable
from arena.store.bell import KEY, Bell
from arena.store.leaderboards import Leaderboards
from tests.support.redis_server import RedisServer

pytestmark = pytest.mark.services


@pytest.fixture
def bell(empty_redis: RedisServer) -> Iterator[Bell]:
    opened = Bell(empty_redis.url)
    yield opened
    opened.close()


def test_a_ring_is_heard_once(bell: Bell) -> None:
    bell.ring()
    assert bell.is_rung()
    assert not bell.is_rung()


def test_many_rings_are_one(bell: Bell, redis_server_of_the_session: RedisServer) -> None:
    for _ in range(100):
        bell.ring()
    with redis_server_of_the_session.client() as client:
        assert client.llen(KEY) == 1


def test_who_listens_already_hears_it_at_once(bell: Bell, redis_url: str) -> None:
    heard: list[bool] = []
    listening = threading.Thread(target=lambda: heard.append(bell.is_rung()))
    listening.start()
    other = Bell(redis_url)
    other.ring()
    listening.join()
    other.close()
    assert heard == [True]


def test_the_bell_does_not_hide_that_redis_was_emptied(bell: Bell, redis_url: str) -> None:
    bell.ring()
    boards = Leaderboards(redis_url)
    assert boards.was_emptied()
    boards.close()


def test_without_redis_it_says_so() -> None:
    bell = Bell("redis://127.0.0.1:1/0")
    with pytest.raises(BoardsUnavailable):
        bell.ring()
    with pytest.raises(BoardsUnavailable):
        bell.is_rung()
