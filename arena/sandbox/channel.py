"""The pipes to one child: a request goes down, one line comes up, and what the bot prints is kept aside.

Every wait here has a deadline in fair time, watches for the end of the process, and tells `while_waiting` that the
wait goes on.  Nothing the bot does can make the host block or keep more than a line and 64 KB of it.
"""

import os
import select
import time
from collections.abc import Callable
from io import FileIO

from arena.errors import BotOutput, BotProtocol, BotTimeout, Overloaded
from arena.games.native import mypyc_attr
from arena.match.turn import Timing
from arena.sandbox.fair_time import Deadline, FairClock
from arena.sandbox.limits import (
    LAST_WORDS_SECONDS,
    LINE_BYTES,
    LOG_FIRST_BYTES,
    LOG_LAST_BYTES,
    LOG_LIMIT_BYTES,
    OFF_MOVE_FREE_NS,
    OFF_MOVE_LIMIT_US,
    STARVED_SECONDS,
    WAIT_STEP_SECONDS,
)

WhileWaiting = Callable[[], None]
"""Told that a wait goes on, about twice a second; what it raises ends the wait."""
_PIECE_BYTES = 256              # that are read at once: room for a longer answer would have to be got anew for each
_WAIT_STEP_MS = int(WAIT_STEP_SECONDS * 1000)


class ChildGone(Exception):
    """The child has closed its end, or ended; its exit status says why."""


@mypyc_attr(allow_interpreted_subclasses=True)      # tests put the other end into it
class Channel:
    """Owns its three descriptors: the host's ends of requests, replies and log."""

    def __init__(self, requests: int, replies: int, log: int) -> None:
        self._requests, self._replies, self._log = requests, replies, log
        for descriptor in (requests, replies, log):
            os.set_blocking(descriptor, False)
        self._answers = FileIO(replies, closefd=False)          # reads None where there is nothing, and raises nothing
        self._poll = select.poll()
        self._poll.register(replies, select.POLLIN)
        self._poll.register(log, select.POLLIN)
        self._received = b""
        self._first, self._last = bytearray(), bytearray()      # of what the bot printed
        self._printed = 0
        self._log_is_open = True
        self._off_move_us = 0
        self.timing: Timing | None = None           # of the last request, also of one that ended in a fault

    def ask(self, request: bytes, limit_us: int, clock: FairClock, while_waiting: WhileWaiting) -> bytes:
        """Send the request and wait for one line.

        Raises: BotTimeout, BotProtocol, BotOutput; ChildGone; Overloaded; and whatever `while_waiting` raises.
        """
        self.timing = None
        used_ns = clock.begin()
        if (news := self._poll.poll(0)) or self._printed > LOG_LIMIT_BYTES:
            self._refuse_speech(news)
        if used_ns > OFF_MOVE_FREE_NS:
            self._charge_rest(used_ns)
        try:
            unsent = self._send(request)
            # On one core who was written to runs first, and mostly has answered by now.
            if not unsent and not self._hear():
                self._take_note(self._poll.poll(min(limit_us // 1000 + 1, _WAIT_STEP_MS)))
            if unsent or not self._received.endswith(b"\n"):
                self._wait_for_line(Deadline(clock, clock.beginning(), limit_us), while_waiting, unsent)
        finally:
            self.timing = clock.end()
        return self._take_line()

    def await_line(self, seconds: float, clock: FairClock, while_waiting: WhileWaiting) -> bytes:
        """A line nobody asked for: the child's first.  Raises: as `ask`."""
        self._wait_for_line(Deadline(clock, clock.read(), int(seconds * 1e6)), while_waiting, b"")
        return self._take_line()

    def last_timing(self) -> Timing:
        """What the last request took."""
        if self.timing is None:
            raise ValueError("nothing has been asked yet")
        return self.timing

    def await_log(self) -> None:
        """Take what is printed in the next moments, until nothing more comes."""
        give_up = time.monotonic() + LAST_WORDS_SECONDS
        seconds = LAST_WORDS_SECONDS
        while self._log_is_open and select.select([self._log], [], [], seconds)[0] and time.monotonic() < give_up:
            self._read_log()
            seconds = LAST_WORDS_SECONDS / 10

    def drain(self) -> None:
        """Take what the bot has printed; after its end, what is left of it."""
        while self._log_is_open and self._read_log():
            if self._printed > LOG_LIMIT_BYTES:
                return

    def log(self) -> str:
        """What the bot printed, as text that can be stored anywhere; of much, the beginning and the end."""
        left_out = self._printed - len(self._first) - len(self._last)
        gap = f"\n[{left_out} bytes are left out here]\n".encode() if left_out else b""
        text = (bytes(self._first) + gap + bytes(self._last)).decode("utf-8", "replace")
        return text.replace("\0", "\N{REPLACEMENT CHARACTER}")

    def close(self) -> None:
        for descriptor in (self._requests, self._replies, self._log):
            if descriptor >= 0:
                os.close(descriptor)
        self._requests = self._replies = self._log = -1
        self._log_is_open = False

    def _refuse_speech(self, news: list[tuple[int, int]]) -> None:
        """Between requests the bot has nothing to say; what it prints is welcome."""
        for descriptor, events in news:
            if descriptor == self._log:
                self._read_log()
            elif events & select.POLLIN:
                raise BotProtocol("the bot wrote to the host without being asked", process_ended=True)
            else:
                raise ChildGone
        self._refuse_flood()

    def _charge_rest(self, used_ns: int) -> None:
        """Add up what the bot uses between requests, where it has nothing to do."""
        self._off_move_us += (used_ns - OFF_MOVE_FREE_NS) // 1000
        if self._off_move_us > OFF_MOVE_LIMIT_US:
            raise BotProtocol(
                f"the bot computed for {self._off_move_us / 1000:.1f} ms while it was not its turn; "
                f"{OFF_MOVE_LIMIT_US // 1000} ms are overlooked",
                process_ended=True,
            )

    def _send(self, request: bytes) -> bytes:
        """What did not fit into the pipe."""
        try:
            return request[os.write(self._requests, request) :]
        except BlockingIOError:
            return request
        except BrokenPipeError:
            raise ChildGone from None

    def _wait_for_line(self, deadline: Deadline, while_waiting: WhileWaiting, unsent: bytes) -> None:
        told_seconds = 0.0
        while True:
            self._take_note(self._poll.poll(0))         # what came while we stood in line ourselves was in time
            if not unsent and b"\n" in self._received:
                return
            left = deadline.seconds_left()
            if not left:
                raise BotTimeout(f"there was no answer within {deadline.limit_us / 1000:g} ms", process_ended=True)
            if deadline.seconds_spent() - told_seconds > WAIT_STEP_SECONDS:
                told_seconds = deadline.seconds_spent()
                while_waiting()
                deadline.excuse()
                if deadline.is_starved():
                    raise Overloaded(
                        f"a bot stood in line for a processor for over {STARVED_SECONDS:g} s; run fewer workers here"
                    )
            unsent = self._step(min(left, WAIT_STEP_SECONDS), unsent)

    def _step(self, seconds: float, unsent: bytes) -> bytes:
        """Wait until something happens, and take note of it; what is still to be sent."""
        milliseconds = max(1, int(seconds * 1000))
        if not unsent:
            self._take_note(self._poll.poll(milliseconds))
            return b""
        self._poll.register(self._requests, select.POLLOUT)
        news = self._poll.poll(milliseconds)
        self._poll.unregister(self._requests)
        self._take_note([event for event in news if event[0] != self._requests])
        return self._send(unsent)

    def _take_note(self, news: list[tuple[int, int]]) -> None:
        """Read what there is of an answer, and of what the bot prints."""
        for descriptor, _ in news:
            if descriptor == self._replies:
                self._hear()
            else:
                self._read_log()
                self._refuse_flood()

    def _hear(self) -> bool:
        """Read what there is of an answer; whether there was anything."""
        piece = self._answers.read(_PIECE_BYTES)
        if piece is None:
            return False
        if not piece:
            raise ChildGone
        self._received += piece
        if len(self._received) >= LINE_BYTES and b"\n" not in self._received[:LINE_BYTES]:
            raise BotProtocol(f"the bot's answer is longer than {LINE_BYTES} bytes", process_ended=True)
        return True

    def _take_line(self) -> bytes:
        received, self._received = self._received, b""
        if received.find(b"\n") + 1 != len(received):
            raise BotProtocol("the bot wrote more than one line for one answer", process_ended=True)
        return received[:-1]

    def _read_log(self) -> bool:
        """Whether there was something."""
        try:
            piece = os.read(self._log, 65536)
        except BlockingIOError:
            return False
        if not piece:
            self._poll.unregister(self._log)
            self._log_is_open = False
            return False
        self._printed += len(piece)
        room = LOG_FIRST_BYTES - len(self._first)
        self._first += piece[:room]
        self._last = (self._last + piece[room:])[-LOG_LAST_BYTES:]
        return True

    def _refuse_flood(self) -> None:
        if self._printed > LOG_LIMIT_BYTES:
            raise BotOutput(f"the bot printed more than {LOG_LIMIT_BYTES >> 10} KB", process_ended=True)
