"""Sandboxes started ahead.  Each is verified, used once, and never given back.

There is no helper thread: a sandbox dies with the thread that started it.  So the next ones are started when a player
is closed, boot while the worker does other things, and are looked at when they are claimed.
"""

import os
import threading
from collections import deque
from collections.abc import Callable

from arena.errors import ArenaFault, SandboxUnavailable
from arena.sandbox.channel import WhileWaiting
from arena.sandbox.child_process import ChildProcess
from arena.sandbox.launch import Launcher
from arena.sandbox.stop_signals import held_back

_TRIES = 3


class Pool:
    """Up to `size` idle sandboxes of one worker process."""

    def __init__(self, launcher: Launcher, verify: Callable[[ChildProcess], None], size: int) -> None:
        self._launcher = launcher
        self._verify = verify
        self._size = size
        self._booting: deque[ChildProcess] = deque()
        self._ready: deque[ChildProcess] = deque()
        self._owner = (os.getpid(), threading.get_ident())

    def refill(self) -> None:
        """Start what is missing; does not wait for it.  Raises: SandboxUnavailable."""
        self._check_owner()
        while len(self._booting) + len(self._ready) < self._size:
            self._start_one()

    def prepare(self, while_waiting: WhileWaiting) -> None:
        """Wait until the idle sandboxes are started and verified.  Raises: SandboxUnavailable."""
        while self._booting:
            self._ready.append(self._settled(while_waiting))

    def claim(self, while_waiting: WhileWaiting) -> ChildProcess:
        """A verified sandbox that nobody has used.  Raises: SandboxUnavailable."""
        self._check_owner()
        for _ in range(self._size + _TRIES):
            child = self._ready.popleft() if self._ready else self._settled(while_waiting)
            if child.is_running():
                return child
            child.end()
        raise SandboxUnavailable("sandboxes end as soon as they are started; run `arena doctor` to learn why")

    def close(self) -> None:
        for child in (*self._booting, *self._ready):
            child.end()
        self._booting.clear()
        self._ready.clear()
        self._launcher.close()

    def _start_one(self) -> None:
        """No signal that stops us comes between a start and the note of it: what is not noted, nobody would end."""
        with held_back():
            self._booting.append(ChildProcess(self._launcher.start()))

    def _settled(self, while_waiting: WhileWaiting) -> ChildProcess:
        """The next one, started and verified; until then it stays noted, for `close`."""
        if not self._booting:
            self._start_one()
        child = self._booting[0]
        try:
            child.settle(while_waiting)
            self._verify(child)
        except BaseException:
            child.end()
            raise
        finally:
            self._booting.popleft()
        return child

    def _check_owner(self) -> None:
        if (os.getpid(), threading.get_ident()) != self._owner:
            raise ArenaFault("a sandbox belongs to the process and the thread that made it; make one after the fork")
