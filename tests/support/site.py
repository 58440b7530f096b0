"""The web as it is run: gunicorn with threads, in processes of its own, on the database of a store."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import requests

from arena.store.session import Store
from tests.support.ports import free_port

START_SECONDS = 120             # a busy machine is no failure


@contextmanager
def running_site(store: Store, *, workers: int = 2, threads: int = 16) -> Iterator[str]:
    """Its address; at the end it is stopped, and must stop quickly and in good order."""
    address = f"127.0.0.1:{free_port()}"
    with TemporaryDirectory(prefix="arena-metrics-") as shared:
        environment = {
            **os.environ,
            "ARENA_DATABASE_URL": store.settings.sqlalchemy_url,
            "ARENA_REDIS_URL": store.settings.redis_url,
            "ARENA_RATE_LIMITS": "false",
            "ARENA_SECRET_KEY": "signs the cookies of one site of the tests",
            "ARENA_TRUSTED_PROXIES": "1",       # so that a test can speak from many addresses
            "PROMETHEUS_MULTIPROC_DIR": shared,
        }
        command = [
            sys.executable, "-m", "gunicorn", f"--bind={address}", "--worker-class=gthread", f"--workers={workers}",
            f"--threads={threads}", "--no-control-socket", "--graceful-timeout=2",
            "web.app:create_app_from_environment()",
        ]
        process = subprocess.Popen(command, env=environment)
        try:
            _wait_for(f"http://{address}/healthz")
            yield f"http://{address}"
        finally:
            process.terminate()
            assert process.wait(10) == 0


def _wait_for(url: str) -> None:
    give_up = time.monotonic() + START_SECONDS
    while True:
        try:
            requests.get(url, timeout=5).raise_for_status()
            return
        except requests.RequestException:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.05)
