"""One running child as the host sees it: its pipes, its clocks, its end."""

import json
import os
import select
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass

from arena.errors import ArenaFault, BotFault, SandboxUnavailable
from arena.sandbox.channel import Channel, ChildGone, WhileWaiting
from arena.sandbox.fair_time import FairClock
from arena.sandbox.hints import hint_for
from arena.sandbox.launch import Started
from arena.sandbox.limits import BWRAP_SECONDS, HELLO_SECONDS, WAIT_STEP_SECONDS

_HELLO = b'{"s":0,"hello":1}'
_REAP_SECONDS = 5.0
_EXIT_SECONDS = 0.5             # a child that closed its pipe gets so long to end, so that its exit code can be seen
_SIGNAL_CODES = 128             # bubblewrap reports signal n as exit code 128 + n


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child ended: by its own exit code, by a signal, or by us because it went on without its pipe."""

    code: int | None = None
    signal: int | None = None
    cpu_seconds: float = 0.0


class ChildProcess:
    """Owns the process and its descriptors; `end` gives all of them back."""

    def __init__(self, started: Started) -> None:
        self._process = started.process
        self._info = started.bwrap_info
        self._told = b""                            # what bubblewrap has said of the bot so far
        self._pidfd: int | None = None
        self._is_monitored = started.bwrap_info is not None
        self._is_ended = False
        self.is_settled = False                     # whether it has said hello
        self.pid = started.process.pid              # the bot's own, once `settle` has learned it
        self.monitor_pid = started.process.pid
        self.user = started.user
        self.channel = Channel(started.requests, started.replies, started.log)
        self.clock: FairClock

    def settle(self, while_waiting: WhileWaiting) -> None:
        """Wait until the child says hello.  Raises: SandboxUnavailable, with what was printed instead."""
        try:
            self._find_bot(while_waiting)
            self.clock = FairClock(self.pid)
            hello = self.channel.await_line(HELLO_SECONDS, self.clock, while_waiting)
        except (ChildGone, BotFault, ProcessLookupError) as failure:
            raise self._did_not_start() from failure
        if hello != _HELLO:
            raise self._did_not_start()
        self.is_settled = True

    def ask_where(self) -> None:
        """Have the interpreter print into the bot's log what the bot is at, whatever it is at; child.py sees to it."""
        with suppress(ProcessLookupError):
            if self._pidfd is not None:
                signal.pidfd_send_signal(self._pidfd, signal.SIGUSR1)
            else:
                self._process.send_signal(signal.SIGUSR1)
            self.channel.await_log()

    def is_running(self) -> bool:
        return not self._is_ended and self._process.poll() is None

    def ending(self) -> Ending:
        """How the child, which has closed its pipe, ended; a child that goes on is ended here."""
        cpu_seconds = self.clock.read().cpu / 1e9
        try:
            code = self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.end()
            return Ending(cpu_seconds=cpu_seconds)
        self.end()
        if self._is_monitored and code > _SIGNAL_CODES:
            return Ending(signal=code - _SIGNAL_CODES, cpu_seconds=cpu_seconds)
        if code < 0:
            return Ending(signal=-code, cpu_seconds=cpu_seconds)
        return Ending(code=code, cpu_seconds=cpu_seconds)

    def end(self) -> None:
        """Kill, reap, keep the last of the log, close everything.  A second call does nothing.  Raises: ArenaFault."""
        if self._is_ended:
            return
        self._is_ended = True
        self._kill()
        try:
            self._process.wait(_REAP_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise ArenaFault(f"process {self.monitor_pid} was killed and does not end; look at the machine") from error
        finally:
            self.channel.drain()
            self.channel.close()
            for descriptor in (self._pidfd, self._info):
                if descriptor is not None:
                    os.close(descriptor)
            if hasattr(self, "clock"):
                self.clock.close()

    def _kill(self) -> None:
        """By process handle, never by number: numbers are used again.  The monitor ends with what it watches.

        So a sandbox that is still starting gets that far first: without its monitor, its first process would wait for
        ever to be let go.
        """
        if self._info is not None and self._pidfd is None:
            with suppress(ChildGone, ProcessLookupError):
                self._find_bot(lambda: None, _REAP_SECONDS)
        if self._pidfd is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        elif self._info is not None:
            self._process.kill()                # there is no bot yet, or none any more
        elif self._process.poll() is None:      # not reaped, so the number is still its own
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _find_bot(self, while_waiting: WhileWaiting, seconds: float = BWRAP_SECONDS) -> None:
        """Learn from bubblewrap which process the bot is, and take hold of it.  Raises: ChildGone."""
        if self._info is None:
            return
        give_up = time.monotonic() + seconds
        while b"}" not in self._told:
            ready, _, _ = select.select([self._info], [], [], WAIT_STEP_SECONDS)
            if not ready and time.monotonic() < give_up:
                while_waiting()
                continue
            piece = os.read(self._info, 4096) if ready else b""
            if not piece:
                raise ChildGone
            self._told += piece
        self.pid = json.loads(self._told)["child-pid"]
        self._pidfd = os.pidfd_open(self.pid)

    def _did_not_start(self) -> SandboxUnavailable:
        self.end()
        said = " ".join(self.channel.log().split())[-400:]
        return SandboxUnavailable(f"no sandbox could be started: {said or 'it ended without a word'}; {hint_for(said)}")
