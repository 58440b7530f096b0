"""The matches of a local tournament, several at once.

Each process that plays has a sandbox of its own.  It ends with the parent, whatever ends that: the kernel then sends
it SIGTERM, which unwinds, so that its bots and sandboxes end too.  Only a window of matches is handed out at a time.
"""

import multiprocessing
import os
import signal
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

from arena.errors import ArenaFault
from arena.sandbox.confine import die_with
from arena.sandbox.stop_signals import Stopped, held_back, listen_in_child

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

    from arena.cli.local import LocalBot, Venue
    from arena.match.record_types import MatchRecord, MatchSetup

AHEAD = 2           # matches handed out for each process: one it plays, one it need not wait for


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is the same for all matches; it travels to the processes that play them."""

    setup: "MatchSetup"  # its seed is the tournament's
    bots: tuple["LocalBot", ...]
    cycles: int
    is_unsafe: bool


Played = tuple[int, "MatchRecord"]      # which match of the schedule, and its record


@contextmanager
def played(plan: Plan, count: int, workers: int) -> Iterator[Iterator[Played]]:
    """The matches, as they are finished.  When the block is left, also early, nothing plays any more.

    Raises: what playing raises; ArenaFault when something ended a process that plays.
    """
    context = multiprocessing.get_context("fork")       # the tie is to the process that forks
    is_stopped = context.Event()
    begin = (plan, is_stopped, os.getpid())
    with ProcessPoolExecutor(min(workers, count), context, initializer=_begin, initargs=begin) as pool:
        try:
            with closing(_in_window(pool, count, AHEAD * workers)) as matches:
                yield matches
        except BrokenProcessPool as error:
            raise ArenaFault(
                "a process that plays was ended from outside; if the machine runs out of memory, give fewer --workers"
            ) from error
        finally:
            is_stopped.set()
            pool.shutdown(wait=True, cancel_futures=True)


def _in_window(pool: ProcessPoolExecutor, count: int, window: int) -> Generator[Played, None, None]:
    """Hand out matches, never more than the window at once."""
    indices = iter(range(count))
    waiting: set[Future[Played]] = set()
    with held_back():                   # the processes are forked here; no signal is theirs before they have begun
        waiting.update(pool.submit(_play_one, index) for index in islice(indices, window))
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        waiting.update(pool.submit(_play_one, index) for index in islice(indices, len(done)))
        while done:
            yield done.pop().result()


class _Broken(Exception):
    """The tournament was broken off."""


class _Process:
    """What a playing process keeps from match to match."""

    plan: Plan
    is_stopped: "Event"
    venue: "Venue | None" = None
    kept_open: ExitStack


def _begin(plan: Plan, is_stopped: "Event", parent: int) -> None:
    listen_in_child(signal.SIGTERM)
    die_with(parent, signal.SIGTERM)
    _Process.plan, _Process.is_stopped, _Process.kept_open = plan, is_stopped, ExitStack()


def _venue() -> "Venue":
    """This process's sandbox: opened with its first match, closed when the process ends."""
    from arena.cli import local

    if _Process.venue is None:
        _Process.venue = _Process.kept_open.enter_context(
            local.venue(is_unsafe=_Process.plan.is_unsafe, while_waiting=_end_when_told)
        )
        Finalize(None, _Process.kept_open.close, exitpriority=1)
    return _Process.venue


def _play_one(index: int) -> Played:
    from arena.cli import local
    from arena.match.openings import match_seed
    from arena.tournament.round_robin import pairing_at

    plan = _Process.plan
    pairing = pairing_at(len(plan.bots), plan.cycles, index)
    bots = (plan.bots[pairing.first], plan.bots[pairing.second])
    setup = replace(plan.setup, seed=match_seed(plan.setup.seed, index), bots=(bots[0].ref, bots[1].ref))
    try:
        return index, local.play(setup, bots, _venue(), lambda game, ply: _end_when_told()).record
    except Stopped as stopped:          # nobody is there to be told, so the pool must not try to
        _Process.kept_open.close()
        os._exit(int(str(stopped.code)))


def _end_when_told() -> None:
    if _Process.is_stopped.is_set():
        raise _Broken
