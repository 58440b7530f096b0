"""A TCP relay between the arena and a server, in which a test sees, holds, and cuts what passes."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

CHUNK = 1 << 16
Shows = Callable[[bytes], bool]
"""Whether what a client sends, with all that it sent since it last said COMMIT, is what is waited for."""


@dataclass(eq=False)
class Trap:
    """Catches the first request that shows something. `caught` is set then, and `released` lets it go on its way.

    `loses_answer`: the request arrives at the server, and its answer never comes back, for the connection breaks.
    """

    shows: Shows
    loses_answer: bool = False
    caught: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)


class Relay:
    """Listens on a free port until it is closed."""

    def __init__(self, server: tuple[str, int], host: str = "127.0.0.1") -> None:
        self._server = server
        self._trap: Trap | None = None
        self._connections: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listening = socket.create_server((host, 0), backlog=128)
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @contextmanager
    def trap(self, shows: Shows, *, loses_answer: bool = False) -> Iterator[Trap]:
        """Every request that shows this is held until the end of the block, or until it is released."""
        set_up = self._trap = Trap(shows, loses_answer)
        try:
            yield set_up
        finally:
            self._trap = None
            set_up.released.set()

    def cut(self) -> None:
        """Break all connections there are; new ones can be made."""
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            _break(connection)

    def close(self) -> None:
        _break(self._listening)
        self._listening.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:             # closed
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            server = socket.create_connection(self._server, timeout=5)
        except OSError:                 # a server that is away: so is the connection to it
            client.close()
            return
        server.settimeout(None)
        pair = _Pair(client, server)
        with self._lock:
            self._connections |= {client, server}
        back = threading.Thread(target=pair.answers, daemon=True)
        back.start()
        pair.requests(lambda: self._trap)
        back.join()
        with self._lock:
            self._connections -= {client, server}
        client.close()
        server.close()


class _Pair:
    """One connection, both ways."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self._client, self._server = client, server
        self._is_deaf = False
        self._sent = b""

    def requests(self, trap: Callable[[], Trap | None]) -> None:
        with suppress(OSError):
            while request := self._client.recv(CHUNK):
                found = trap()
                self._sent += request
                if found is not None and found.shows(self._sent):
                    self._caught(found)
                if found is None or b"COMMIT" in request:
                    self._sent = b""
                self._server.sendall(request)
        self._end()

    def answers(self) -> None:
        with suppress(OSError):
            while (answer := self._server.recv(CHUNK)) and not self._is_deaf:
                self._client.sendall(answer)
        self._end()

    def _caught(self, trap: Trap) -> None:
        if trap.loses_answer and not trap.caught.is_set():
            self._is_deaf = True
            trap.caught.set()
        elif not trap.loses_answer:
            trap.caught.set()
            trap.released.wait()

    def _end(self) -> None:
        _break(self._client)
        _break(self._server)


def _break(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
