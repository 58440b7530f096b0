"""Fair time: what a process used or slept away, without the time it stood in the queue for a processor."""

from __future__ import annotations

import os
import time
from typing import Final

from arena.games.native import mypyc_attr
from arena.match.turn import Timing
from arena.sandbox.limits import (
    EXCHANGE_NS,
    GRACE_SECONDS,
    NAPS_OF_THE_STARVED,
    OFF_MOVE_FREE_NS,
    QUEUES_FRESH_NS,
    STARVED_RATIO,
    STARVED_SECONDS,
)

_WALL_SHARE_WITHOUT_QUEUE = 3   # a kernel without schedstat: the wall clock runs this much slower instead
_CPU_CLOCK_OF_PROCESS = 2       # <linux/posix-timers.h>: CPUCLOCK_SCHED, for a whole process


class Moment:
    """Readings in nanoseconds: the wall clock, the process's time on and in line for a processor, ours in line."""

    __slots__ = ("cpu", "host_waited", "waited", "wall")

    def __init__(self, wall: int, cpu: int, waited: int, host_waited: int = 0) -> None:
        self.wall: Final = wall
        self.cpu: Final = cpu
        self.waited: Final = waited
        self.host_waited: Final = host_waited

    def where_host_waited(self, host_waited: int) -> Moment:
        """The same with another wait of ours."""
        return Moment(self.wall, self.cpu, self.waited, host_waited)


@mypyc_attr(allow_interpreted_subclasses=True)      # tests script its readings
class FairClock:
    """The clocks of one process, which has one thread.

    To read them all takes longer than a quick answer.  So a request that comes soon after a reading begins with what
    was read then, and one whose processor time explains how long it took ends without another.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._cpu_clock = ~pid << 3 | _CPU_CLOCK_OF_PROCESS
        self._schedstat = _opened(f"/proc/{pid}/schedstat")
        self._host_schedstat = _opened("/proc/thread-self/schedstat")
        self._cpu = self._waited = self._host_waited = 0        # as last read
        self._queues = Moment(0, 0, 0)          # both waits as read when the present request began, or shortly before,
        self._began = self._began_cpu = 0       # when it began, by the wall clock, and the processor time by then
        self._ended = -OFF_MOVE_FREE_NS         # when the last request ended, by the wall clock,
        self._rested_cpu: int | None = None     # and the processor time by then
        self.excused_ns = 0                     # of the present request

    def read(self) -> Moment:
        """Now; for a process that has ended, its last times."""
        try:
            if self._schedstat >= 0:
                self._host_waited = _time_in_line(self._host_schedstat)
                self._waited = _time_in_line(self._schedstat)
            self._cpu = time.clock_gettime_ns(self._cpu_clock)
        except (OSError, IndexError):
            pass
        return Moment(time.monotonic_ns(), self._cpu, self._waited, self._host_waited)

    def look(self) -> Moment:
        """Now, while there is no answer: what we have stood in line until now kept none waiting."""
        now = self.read()
        self._queues = self._queues.where_host_waited(now.host_waited - self.excused_ns)
        return now

    def excuse(self, since: Moment) -> None:
        """What the host did since then was not for this request: it counts as if we had stood in line, all of it.

        An answer that came meanwhile was not late.  Nor can the bot be told to have slept, so that is excused as well.
        """
        now = self.read()
        self.excused_ns += now.wall - since.wall
        self._queues = self._queues.where_host_waited(now.host_waited - self.excused_ns)

    def begin(self) -> int:
        """A request begins.  What was used since the last one ended, in nanoseconds of processor time.

        After a rest in which nobody could use more than is free it is 0, and what was used belongs to this request.
        """
        self._began = now = time.monotonic_ns()
        self.excused_ns = 0
        if now - self._ended < OFF_MOVE_FREE_NS and now - self._queues.wall < QUEUES_FRESH_NS:
            return 0
        self._queues = start = self.read()
        self._began, self._began_cpu = start.wall, start.cpu
        return 0 if self._rested_cpu is None else start.cpu - self._rested_cpu

    def end(self) -> Timing:
        """The request has ended: what it is charged."""
        try:
            self._cpu = cpu = time.clock_gettime_ns(self._cpu_clock)
        except OSError:                     # the process has ended as well
            return self.timing(self.beginning(), self.read())
        self._ended = ended = time.monotonic_ns()
        used_ns, wall_ns = cpu - self._began_cpu, ended - self._began
        if wall_ns - used_ns > EXCHANGE_NS:
            now = self.read()
            timing = self.timing(self.beginning(), now)
            self._queues = now
            cpu = now.cpu
        else:
            timing = Timing(used_ns // 1000, wall_ns // 1000, used_ns // 1000, max(0, wall_ns - used_ns) // 1000)
        self._rested_cpu = self._began_cpu = cpu
        return timing

    def beginning(self) -> Moment:
        """When the request began."""
        return Moment(self._began, self._began_cpu, self._queues.waited, self._queues.host_waited)

    def timing(self, start: Moment, end: Moment) -> Timing:
        """What the process is charged from one moment to the other.

        An answer that lay there while we ourselves stood in line was not late.  Such a wait may overlap with the bot's
        own work, which is charged in any case; one that was over before there was an answer does not count (`look`),
        unless it is excused.
        """
        wall, cpu = end.wall - start.wall, max(0, end.cpu - start.cpu)
        waited = end.waited - start.waited + end.host_waited - start.host_waited
        if self._schedstat < 0:
            waited = wall - (wall - waited) // _WALL_SHARE_WITHOUT_QUEUE
        charged = max(wall - waited, cpu)
        return Timing(charged // 1000, wall // 1000, cpu // 1000, max(0, wall - charged) // 1000)

    def is_in_line(self) -> bool:
        """Whether the process could run now, whether or not it does."""
        try:
            with open(f"/proc/{self._pid}/stat", "rb") as status:
                return status.read().rpartition(b") ")[2].startswith(b"R")
        except OSError:
            return False

    def naps(self) -> int:
        """How often the process has lain down by itself so far."""
        try:
            with open(f"/proc/{self._pid}/status", "rb") as status:
                return int(status.read().partition(b"\nvoluntary_ctxt_switches:")[2].split(None, 1)[0])
        except (OSError, IndexError):
            return 0

    def close(self) -> None:
        for descriptor in (self._schedstat, self._host_schedstat):
            if descriptor >= 0:
                os.close(descriptor)
        self._schedstat = self._host_schedstat = -1


def _opened(path: str) -> int:
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1               # a kernel without it


def _time_in_line(schedstat: int) -> int:
    """The second of its three numbers."""
    return int(os.pread(schedstat, 64, 0).split()[1])


class Deadline:
    """Whether a limit of fair time is over.

    The kernel counts a wait only when it ends.  So at the limit the process gets a moment of grace, and while it
    stands in line without having moved, the deadline moves on.
    """

    def __init__(self, clock: FairClock, start: Moment, limit_us: int) -> None:
        self._clock = clock
        self._start = start
        self.limit_us = limit_us
        self._now = start
        self._naps = clock.naps()
        self._suspect: Moment | None = None

    def seconds_left(self) -> float:
        """How long to wait before asking again; 0 when the time is over.  To be asked only while there is no answer."""
        now = self._now = self._clock.look()
        start = self._start.where_host_waited(now.host_waited - self._clock.excused_ns)
        left_us = self.limit_us - self._clock.timing(start, now).charged_us
        if left_us > 0:
            self._suspect = None
            return left_us / 1e6 + 1e-3         # what is asked too early would only be asked again
        if self._suspect is None or self._is_starving(now):
            self._suspect = now
            return GRACE_SECONDS
        return 0

    def excuse(self) -> None:
        """What the host has done since the last look is not charged, and moves the deadline."""
        self._clock.excuse(self._now)

    def seconds_spent(self) -> float:
        """On the wall, from the start to the last look."""
        return (self._now.wall - self._start.wall) / 1e9

    def is_starved(self) -> bool:
        """Whether the machine has hardly let the process run; one that had its share and used it is not starved."""
        if self._clock.naps() - self._naps > NAPS_OF_THE_STARVED:       # who is kept from running does not lie down
            return False
        now, start = self._now, self._start
        wall, cpu, waited = now.wall - start.wall, now.cpu - start.cpu, now.waited - start.waited
        if self._suspect is not None and self._is_starving(now):
            waited = wall - cpu
        return waited > STARVED_SECONDS * 1e9 + STARVED_RATIO * (wall - waited)

    def _is_starving(self, now: Moment) -> bool:
        suspect = self._suspect
        is_still = suspect is not None and (now.cpu, now.waited) == (suspect.cpu, suspect.waited)
        return is_still and self._clock.is_in_line()
