"""What a measurement has to itself: a folder, a Redis."""

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.cli.private_redis import PrivateRedis


@contextmanager
def open_folder() -> Iterator[Path]:
    """A temporary folder that the users whom bots run as may enter, too."""
    with tempfile.TemporaryDirectory(prefix="arena-benchmark-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@contextmanager
def running_redis(folder: Path) -> Iterator[str]:
    """A Redis in this folder; its URL.  redis-server must be installed."""
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
