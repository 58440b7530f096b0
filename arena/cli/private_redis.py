"""A redis-server that belongs to one stack: the queue and the boards of that arena, and of no other."""

import secrets
import shutil
import socket
from pathlib import Path

from arena.errors import BoardsUnavailable

HOST = "127.0.0.1"
NO_REDIS_SERVER = "redis-server is not installed; install it (Debian: apt install redis-server), or run `make setup`."


def is_installed() -> bool:
    """Whether there is a redis-server to start."""
    return shutil.which("redis-server") is not None


class PrivateRedis:
    """A redis-server of this stack alone: folder, free port, password; everything in it can be lost."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind((HOST, 0))
            self.port: int = probe.getsockname()[1]
        password = secrets.token_urlsafe(24)
        self.url = f"redis://:{password}@{HOST}:{self.port}/0"
        self.command = ["redis-server", "-"]        # reads its configuration from standard input: no password in `ps`
        self.configuration = (
            f"bind {HOST}\nport {self.port}\nrequirepass {password}\ndir redis\n"
            "appendonly yes\nappendfsync everysec\nsave \"\"\nmaxmemory-policy noeviction\ndaemonize no\n"
        ).encode()
        self.folder = folder

    def make_room(self) -> None:
        """An empty folder: what the queue held is in the database, and boards are filled from there."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(exist_ok=True)

    def answers(self, pid: int) -> bool:
        """Whether the process that we started answers on our port."""
        from arena.store.redis_calls import server_process_id

        try:
            return server_process_id(self.url) == pid
        except BoardsUnavailable:
            return False
