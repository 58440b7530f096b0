"""The signals that end a program, as exceptions: whoever has started something gets to end it.

While a process is being started they are held back, until somebody owns it.  Celery's workers have ways of their own.
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_GRACE_SECONDS = 10.0       # a closing terminal sends SIGHUP twice: what ends in order is left alone for so long


class Stopped(SystemExit):
    """SIGTERM or SIGHUP has come, and is the exit code; SIGINT is Python's own KeyboardInterrupt."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


class _Now:
    """What this process knows of its signals."""

    holders = 0                         # how many blocks hold them back
    waiting: int | None = None          # the one that came meanwhile
    stopped_at = -_GRACE_SECONDS


@contextmanager
def unwinding() -> Iterator[None]:
    """Within, a signal that says stop raises.  One that is ignored stays so: `nohup`, a script's background jobs."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _Now.stopped_at = -_GRACE_SECONDS
    before = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    heard = [number for number in STOP_SIGNALS if before[number] is not signal.SIG_IGN]
    for number in heard:
        signal.signal(number, _heard)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, before[number])


def listen_in_child(number: signal.Signals) -> None:
    """In a process forked within `unwinding`: this signal raises, the others are the parent's to hear."""
    _Now.holders, _Now.waiting, _Now.stopped_at = 0, None, -_GRACE_SECONDS
    for other in STOP_SIGNALS:
        signal.signal(other, _heard if other == number else signal.SIG_IGN)


@contextmanager
def held_back() -> Iterator[None]:
    """Within, a signal waits; it raises at the end."""
    _Now.holders += 1
    try:
        yield
    finally:
        _Now.holders -= 1
        if not _Now.holders and _Now.waiting is not None:
            number, _Now.waiting = _Now.waiting, None
            _stop(number)


def _heard(number: int, _frame: FrameType | None) -> None:
    if time.monotonic() - _Now.stopped_at < _GRACE_SECONDS:
        return
    if _Now.holders:
        _Now.waiting = number
    else:
        _stop(number)


def _stop(number: int) -> None:
    _Now.stopped_at = time.monotonic()
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise Stopped(number)
