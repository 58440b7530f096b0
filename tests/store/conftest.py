"""The boards in an empty Redis."""

from collections.abc import Iterator

import pytest

from arena.store.leaderboards import Leaderboards
from tests.support.redis_server import RedisServer


@pytest.fixture
def boards(empty_redis: RedisServer) -> Iterator[Leaderboards]:
    opened = Leaderboards(empty_redis.url)
    yield opened
    opened.close()
