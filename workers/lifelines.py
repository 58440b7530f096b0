"""Who of this machine's playing processes is alive: each holds a lock on a file that bears its name.

The kernel lets go of the lock in the moment in which the process ends, however it ends.  So nobody has to guess: a
lock that can be had is that of a dead process, whatever its worker was called, and a process that merely hangs, or
belongs to another worker of the same name, keeps its own.
"""

import fcntl
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

SUFFIX = ".alive"


class Lifeline:
    """This process's lock, from `tie` until it ends."""

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / (name + SUFFIX)
        self._lock = -1

    def tie(self) -> None:
        """Take the lock; the file gets its name only when it is held.  Raises: OSError."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self._path.with_name(secrets.token_hex(8))
        self._lock = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        draft.rename(self._path)

    def untie(self) -> None:
        """This process plays no more, and has nothing that somebody would have to take over."""
        if self._lock >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = -1


def each_dead(folder: Path, bury: Callable[[str], None]) -> None:
    """Call `bury` with the name of every process that has died; when that succeeds, it is not told again."""
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        with suppress(FileNotFoundError):               # somebody else was quicker
            lock = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                bury(path.name.removesuffix(SUFFIX))
                path.unlink(missing_ok=True)
            except BlockingIOError:
                continue
            finally:
                os.close(lock)
