"""A redis-server of our own: private folder, free port, password; ended with the tests."""

import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.support.ports import free_port

START_SECONDS = 10


class RedisServer:
    """One server process that a test may freeze, kill and start again on the same port."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.password = secrets.token_hex(8)
        self.url = f"redis://:{self.password}@127.0.0.1:{self.port}/0"
        self._folder = folder
        self.process = self._started()

    def client(self) -> "redis.Redis":
        return redis.Redis.from_url(
            self.url, socket_timeout=2, socket_connect_timeout=1, retry=Retry(NoBackoff(), 0), decode_responses=True
        )

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

    def start(self) -> None:
        self.process = self._started()

    def _started(self) -> "subprocess.Popen[bytes]":
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--requirepass", self.password]
        command += ["--dir", str(self._folder), "--save", "", "--appendonly", "no", "--daemonize", "no"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + START_SECONDS
        with self.client() as client:
            while time.monotonic() < deadline:
                try:
                    if client.info("server")["process_id"] == process.pid:
                        return process
                except redis.RedisError:
                    if process.poll() is not None:
                        break
                time.sleep(0.02)
        process.kill()
        process.wait()
        raise RuntimeError(f"redis-server did not come up on port {self.port}, or another one answers there")


def is_installed() -> bool:
    return shutil.which("redis-server") is not None


@contextmanager
def running_redis() -> Iterator[RedisServer]:
    with tempfile.TemporaryDirectory(prefix="arena-redis-") as folder:
        server = RedisServer(Path(folder))
        try:
            yield server
        finally:
            server.stop()
