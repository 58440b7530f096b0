"""As it is run: gunicorn with two processes, each with threads."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from arena.services import accounts
from arena.store.session import Store
from tests.support.site import running_site
from tests.web.conftest import CHEAP, PASSWORD, PLAIN_BOT
from web.limits import DRAINED_BYTES

pytestmark = pytest.mark.services


@pytest.fixture
def server(store: Store) -> Iterator[str]:
    with running_site(store) as address:
        yield address


def status_of_upload(server: str, path: str, size: int) -> bytes:
    """The first line of the answer to a form of this size, sent whole before anything is read, as browsers do."""
    host, _, port = server.removeprefix("http://").partition(":")
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/html\r\nContent-Length: {size}\r\n"
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(f"{head}Content-Type: multipart/form-data; boundary=x\r\n\r\n".encode())
        connection.sendall(bytes(size))
        with connection.makefile("rb") as answer:
            return answer.readline()


def test_a_package_too_large_is_told_to_who_sends_it_whole(server: str) -> None:
    for path in ("/bots/new", "/bots/walker/versions/new", "/api/v1/bots"):
        assert b" 413 " in status_of_upload(server, path, 30_000_000), path
    with pytest.raises(ConnectionError):            # what is far larger is not read to its end
        status_of_upload(server, "/bots/new", 2 * DRAINED_BYTES)
    assert requests.get(f"{server}/healthz", timeout=20).ok


def test_served_by_gunicorn_as_in_the_tests(server: str, store: Store) -> None:
    _, token = accounts.register(store, "ama", PASSWORD, cost=CHEAP)
    me = {"Authorization": f"Bearer {token}"}

    def submit(content: bytes, name: str = "walker") -> requests.Response:
        return requests.post(
            f"{server}/api/v1/bots",
            headers=me,
            data={"name": name, "game": "oware"},
            files={"file": ("bot.py", content)},
            timeout=20,
        )

    too_large = submit(b"#" * 20_000_000)          # refused before it is read, and the answer still arrives
    assert (too_large.status_code, too_large.json()["code"]) == (413, "request/too-large")
    chunks = (b" " * 100_000 for _ in range(20))
    json = {"Content-Type": "application/json"}
    in_chunks = requests.post(f"{server}/api/v1/users", data=chunks, headers=json, timeout=20)
    assert in_chunks.status_code == 413
    with ThreadPoolExecutor(16) as pool:
        names = [f"bot-{number}" for number in range(16)] + ["bot-0"] * 4
        statuses = sorted(answer.status_code for answer in pool.map(lambda name: submit(PLAIN_BOT, name), names))
    assert statuses == [201] * 16 + [409] * 4
    assert len(requests.get(f"{server}/api/v1/bots", timeout=10).json()["items"]) == 16
    counted = requests.get(f"{server}/metrics", timeout=10).text         # by both processes together
    assert 'arena_http_requests_total{method="POST",route="/api/v1/bots",status="201"} 16.0' in counted
