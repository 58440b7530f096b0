"""As it is run: gunicorn with two processes, each with threads."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from arena.services import accounts
from arena.store.session import Store
from tests.support.ports import free_port
from tests.web.conftest import CHEAP, PASSWORD, PLAIN_BOT

pytestmark = pytest.mark.services
START_SECONDS = 20


@pytest.fixture
def server(store: Store, tmp_path: Path) -> Iterator[str]:
    """The address of a running web, on the database of `store`."""
    address = f"127.0.0.1:{free_port()}"
    shared = tmp_path / "metrics"
    shared.mkdir()
    environment = {
        **os.environ,
        "ARENA_DATABASE_URL": store.settings.sqlalchemy_url,
        "ARENA_REDIS_URL": store.settings.redis_url,
        "ARENA_RATE_LIMITS": "false",
        "PROMETHEUS_MULTIPROC_DIR": str(shared),
    }
    command = [
        sys.executable, "-m", "gunicorn", f"--bind={address}", "--worker-class=gthread", "--workers=2", "--threads=16",
        "--no-control-socket", "web.app:create_app_from_environment()",
    ]
    process = subprocess.Popen(command, env=environment)
    try:
        wait_for(f"http://{address}/healthz")
        yield f"http://{address}"
    finally:
        process.terminate()
        assert process.wait(10) == 0


def wait_for(url: str) -> None:
    give_up = time.monotonic() + START_SECONDS
    while True:
        try:
            requests.get(url, timeout=1).raise_for_status()
            return
        except requests.RequestException:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.05)


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
