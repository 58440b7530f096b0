"""What one process of a worker has: its store, its sandboxes, and whether it is being stopped.

Nothing is shared over a fork but one byte of memory: the main process sets it, and those that play see it.
"""

import mmap
import os
import signal
from functools import cache

from arena.sandbox.player import Sandbox
from arena.settings import Settings
from arena.store.session import Store

_main_process = os.getpid()      # imported before any fork
_stopping = mmap.mmap(-1, 1)


@cache
def settings() -> Settings:
    """The settings of this process, out of its environment."""
    return Settings.from_environment(os.environ)


@cache
def store() -> Store:
    """This process's way to the database; opened where it is first needed, never before a fork."""
    return Store.open(settings())


@cache
def sandbox() -> Sandbox:
    """This process's sandboxes, proved; raises `SandboxUnavailable`, and then nothing may be played."""
    chosen = settings()
    return Sandbox(chosen.image_dir, chosen.sandbox_memory_mb, chosen.sandbox_min_tier, ready=chosen.sandbox_ready)


def close() -> None:
    """End the sandboxes that wait, and close all connections."""
    if sandbox.cache_info().currsize:
        sandbox().close()
        sandbox.cache_clear()
    if store.cache_info().currsize:
        store().dispose()
        store.cache_clear()


def stop() -> None:
    """From now on this worker, with all its processes, begins nothing and hands back what it plays."""
    _stopping[0] = 1


def end_worker() -> None:
    """This worker cannot play any more: let its main process stop all of it, and the supervisor start it again."""
    stop()
    os.kill(_main_process, signal.SIGTERM)


def is_stopping() -> bool:
    """Whether the worker is being stopped."""
    return _stopping[0] == 1


def name() -> str:
    """How this process signs for the match it plays: the machine, and the process."""
    return f"{os.uname().nodename}:{os.getpid()}"[:120]
