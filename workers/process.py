"""What one process of a worker has: its store, its sandboxes, and whether it is being stopped.

Nothing is shared over a fork but one byte of memory: the main process sets it, and those that play see it.
"""

import mmap
import os
import secrets
import signal
from functools import cache
from pathlib import Path

import structlog

from arena.sandbox.player import Sandbox
from arena.services import dispatch
from arena.settings import Settings
from arena.store.session import Store
from workers.lifelines import Lifeline, each_dead

_main_process = os.getpid()      # imported before any fork
_stopping = mmap.mmap(-1, 1)

log = structlog.get_logger()


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


def begin() -> None:
    """Be known as alive from now on, before anything is claimed."""
    try:
        _lifeline().tie()
    except OSError as error:        # then the lease alone says when this process is gone
        log.warning("process_not_signed", folder=str(_folder()), reason=str(error))


def take_over_from_the_dead(store: Store) -> None:
    """What processes of this machine were playing when they died is due again at once."""
    try:
        each_dead(_folder(), lambda name: dispatch.take_over(store, name))
    except OSError as error:
        log.warning("dead_processes_not_looked_for", folder=str(_folder()), reason=str(error))


def close() -> None:
    """End the sandboxes that wait, and close all connections."""
    if sandbox.cache_info().currsize:
        sandbox().close()
        sandbox.cache_clear()
    if store.cache_info().currsize:
        store().dispose()
        store.cache_clear()
    if _lifeline.cache_info().currsize:
        _lifeline().untie()
        _lifeline.cache_clear()


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


@cache
def name() -> str:
    """How this process signs for the match it plays: the machine, and the process, by a name that none had before."""
    return f"{os.uname().nodename[:80]}:{secrets.token_hex(6)}:{os.getpid()}"


@cache
def _lifeline() -> Lifeline:
    return Lifeline(_folder(), name())


def _folder() -> Path:
    return settings().data_dir.absolute() / "players"
