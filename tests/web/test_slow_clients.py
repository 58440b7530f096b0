"""What docs/operating.md says of slow clients: a hundred that say nothing delay others by seconds, no more."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
import requests

from arena.store.session import Store
from tests.support.site import running_site

pytestmark = [pytest.mark.services, pytest.mark.slow]

THREADS = 32


@pytest.fixture
def server(store: Store) -> Iterator[str]:
    with running_site(store, workers=1, threads=THREADS) as address:
        yield address


@contextmanager
def connections(server: str, count: int) -> Iterator[None]:
    host, _, port = server.removeprefix("http://").partition(":")
    with ExitStack() as opened:
        for _ in range(count):
            opened.enter_context(socket.create_connection((host, int(port)), timeout=30))
        yield


def test_connections_that_say_nothing_delay_others_by_seconds(server: str) -> None:
    with connections(server, 100):
        assert requests.get(f"{server}/healthz", timeout=120).ok        # four for a thread, five seconds each
        assert requests.get(f"{server}/healthz", timeout=60).ok
