"""What a measurement needs, and has to itself: a folder, a Redis, a sandbox."""

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.cli.private_redis import NO_REDIS_SERVER, PrivateRedis, is_installed
from arena.errors import SandboxUnavailable
from arena.sandbox.player import Sandbox
from benchmarks.measuring import NotHere


def require_redis() -> None:
    """Raises: NotHere where there is no redis-server to start."""
    if not is_installed():
        raise NotHere(NO_REDIS_SERVER)


def require_sandbox() -> None:
    """Raises: NotHere where bots cannot be locked in."""
    with open_folder() as folder:
        try:
            Sandbox(folder, ready=1).close()
        except SandboxUnavailable as error:
            raise NotHere(f"no sandbox here: {error}") from error


@contextmanager
def open_folder() -> Iterator[Path]:
    """A temporary folder that the users whom bots run as may enter, too."""
    with tempfile.TemporaryDirectory(prefix="arena-benchmark-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@contextmanager
def running_redis(folder: Path) -> Iterator[str]:
    """A Redis in this folder; its URL.  Raises: NotHere without redis-server."""
    require_redis()
    private = PrivateRedis(folder / "redis")
    private.make_room()
    process = subprocess.Popen(private.command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        assert process.stdin is not None
        process.stdin.write(private.configuration)
        process.stdin.close()
        while not private.answers(process.pid):
            assert process.poll() is None, "redis-server does not start"
            time.sleep(0.05)
        yield private.url
    finally:
        process.terminate()
        process.wait(10)
