"""The host's end of the pipes, with a test at the other end: nothing there can block it, fill it or go unnoticed."""

import os
import select
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from arena.errors import BotOutput, BotProtocol, BotTimeout, Overloaded
from arena.match.turn import Timing
from arena.sandbox import channel as channel_module
from arena.sandbox.channel import Channel, ChildGone
from arena.sandbox.fair_time import FairClock, Moment

SECOND_US = 1_000_000


class QuietClock(FairClock):
    """The wall clock, and what the host is busy for; the rest as the test says.  Nothing it read before is fresh."""

    cpu = waited = busy = 0
    start: Moment
    rested: Moment | None = None

    def read(self) -> Moment:
        return Moment(time.monotonic_ns() + self.busy, self.cpu, self.waited)

    def begin(self) -> int:
        self.start = self.read()
        return 0 if self.rested is None else self.start.cpu - self.rested.cpu

    def end(self) -> Timing:
        self.rested = self.read()
        return self.timing(self.beginning(), self.rested)

    def beginning(self) -> Moment:
        return self.start.where_host_waited(-self.excused_ns)

    def is_in_line(self) -> bool:
        return False


class AnsweredChannel(Channel):
    """Once a request has been sent, the answer that the test prepared is there: the other end, in one thread."""

    def __init__(self, requests: int, replies: int, log: int, answer: Callable[[], None]) -> None:
        super().__init__(requests, replies, log)
        self.answer = answer

    def _send(self, request: bytes) -> bytes:
        unsent = super()._send(request)
        self.answer()
        return unsent


class OtherEnd:
    """A channel and the bot's ends of its pipes."""

    def __init__(self, channel: type[AnsweredChannel] = AnsweredChannel) -> None:
        self.requests, host_requests = os.pipe()
        host_replies, self.replies = os.pipe()
        host_log, self.log = os.pipe()
        self.prepared = b""
        self.channel = channel(host_requests, host_replies, host_log, self.give_prepared)
        self.clock = QuietClock(os.getpid())

    def ask(self, request: bytes = b"{}\n", limit_us: int = SECOND_US) -> bytes:
        return self.channel.ask(request, limit_us, self.clock, lambda: None)

    def reply(self, content: bytes) -> None:
        os.write(self.replies, content)

    def answers(self, content: bytes) -> bytes:
        """What the host makes of this, when it comes while it waits."""
        self.prepared = content
        return self.ask()

    def give_prepared(self) -> None:
        prepared, self.prepared = self.prepared, b""
        if prepared:
            self.reply(prepared)

    def close(self) -> None:
        self.channel.close()
        for descriptor in (self.requests, self.replies, self.log):
            if descriptor >= 0:
                os.close(descriptor)


@pytest.fixture
def end() -> Iterator[OtherEnd]:
    end = OtherEnd()
    yield end
    end.close()


def test_a_line_is_answered_by_a_line(end: OtherEnd) -> None:
    assert end.answers(b'{"s":1,"m":2}\n') == b'{"s":1,"m":2}'
    assert os.read(end.requests, 100) == b"{}\n"
    assert end.answers(b"x\n") == b"x"
    assert end.channel.last_timing().wall_us < SECOND_US


def test_the_longest_line_is_taken_and_one_byte_more_is_not(end: OtherEnd) -> None:
    assert len(end.answers(b"x" * 4095 + b"\n")) == 4095
    with pytest.raises(BotProtocol, match="longer than 4096 bytes") as caught:
        end.answers(b"x" * 4096 + b"\n")
    assert caught.value.process_ended


def test_size_is_judged_before_anything_else(end: OtherEnd) -> None:
    with pytest.raises(BotProtocol, match="longer than"):
        end.answers(b"\xff" * 60_000)


def test_two_lines_are_one_too_many(end: OtherEnd) -> None:
    with pytest.raises(BotProtocol, match="more than one line"):
        end.answers(b"a\nb\n")


def test_half_a_line_more_is_too_much_as_well(end: OtherEnd) -> None:
    with pytest.raises(BotProtocol, match="more than one line"):
        end.answers(b"a\nb")


def test_who_speaks_without_being_asked_breaks_the_protocol(end: OtherEnd) -> None:
    end.reply(b'{"s":1,"m":2}\n')
    with pytest.raises(BotProtocol, match="without being asked"):
        end.ask()


class AnsweredWhilePrinting(AnsweredChannel):
    """The bot prints in its turn, and answers while the host reads what was printed."""

    def _refuse_speech(self, news: list[tuple[int, int]]) -> None:
        pass

    def _send(self, request: bytes) -> bytes:
        return Channel._send(self, request)

    def _read_log(self) -> bool:
        self.answer()
        return super()._read_log()


class WatchedClock(QuietClock):
    """Knows whether an answer lay there whenever it was looked at."""

    def __init__(self, replies: int) -> None:
        super().__init__(os.getpid())
        self.replies = replies
        self.looks: list[bool] = []

    def look(self) -> Moment:
        self.looks.append(bool(select.select([self.replies], [], [], 0)[0]))
        return super().look()


def test_the_clock_is_looked_at_only_while_no_answer_lies_there() -> None:
    """Else what the host stands in line behind a bot that prints and answers would be charged to the bot."""
    end = OtherEnd(AnsweredWhilePrinting)
    end.clock = clock = WatchedClock(end.channel._replies)
    os.write(end.log, b"thinking\n")
    assert end.answers(b"x\n") == b"x"
    assert not any(clock.looks)
    end.close()


def test_half_a_line_is_no_answer(end: OtherEnd) -> None:
    with pytest.raises(BotTimeout):
        end.channel.ask(b"{}\n", 1, end.clock, lambda: None)
    end.channel._received = b""
    with pytest.raises(BotTimeout) as caught:
        end.answers(b'{"s":')
    assert caught.value.process_ended


def test_a_bot_that_does_not_read_cannot_block_its_host(end: OtherEnd) -> None:
    began = time.monotonic()
    with pytest.raises(BotTimeout):
        end.ask(b"x" * (1 << 20), 100_000)
    assert time.monotonic() - began < 5


def test_what_does_not_fit_into_the_pipe_follows_as_it_is_read(end: OtherEnd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_module, "_WAIT_STEP_MS", 20_000)
    monkeypatch.setattr(channel_module, "WAIT_STEP_SECONDS", 20.0)
    request = b"x" * 300_000

    def read_and_answer() -> None:
        left = len(request)
        while left and (piece := os.read(end.requests, 65536)):
            left -= len(piece)
        end.reply(b"x\n")

    reader = threading.Thread(target=read_and_answer)
    reader.start()
    assert end.ask(request, 60 * SECOND_US) == b"x"
    reader.join()
    assert end.channel.last_timing().wall_us < 10 * SECOND_US


def test_a_closed_connection_is_seen_at_once(end: OtherEnd) -> None:
    os.close(end.replies)
    end.replies = -1
    with pytest.raises(ChildGone):
        end.ask(limit_us=60 * SECOND_US)


def test_a_connection_that_takes_no_requests_is_gone(end: OtherEnd) -> None:
    os.close(end.requests)
    end.requests = -1
    with pytest.raises(ChildGone):
        end.ask(limit_us=60 * SECOND_US)


def test_a_closed_log_hurts_nobody(end: OtherEnd) -> None:
    os.write(end.log, b"last words")
    os.close(end.log)
    end.log = -1
    assert end.answers(b"x\n") == b"x"
    assert end.answers(b"x\n") == b"x"
    assert end.channel.log() == "last words"


def test_a_megabyte_of_print_is_the_end(end: OtherEnd) -> None:
    for _ in range(16):
        os.write(end.log, b"x" * 65536)
        assert end.answers(b"x\n") == b"x"
    os.write(end.log, b"one byte too many")
    with pytest.raises(BotOutput, match="1024 KB"):
        end.answers(b"x\n")
    assert len(end.channel.log()) <= 64 * 1024


def test_computing_between_turns_adds_up(end: OtherEnd) -> None:
    for _ in range(10):
        assert end.answers(b"x\n") == b"x"
        end.clock.cpu += 2_200_000
    end.answers(b"x\n")
    end.clock.cpu += 2_200_000
    with pytest.raises(BotProtocol, match=r"computed for 20.9 ms while it was not its turn"):
        end.answers(b"x\n")


def test_what_an_honest_process_needs_between_turns_is_free(end: OtherEnd) -> None:
    for _ in range(500):
        assert end.answers(b"x\n") == b"x"
        end.clock.cpu += 300_000


def test_a_machine_without_time_is_to_blame_itself(end: OtherEnd) -> None:
    told = 0

    def wait() -> None:
        nonlocal told
        told += 1
        end.clock.waited += 31 * 10**9

    with pytest.raises(Overloaded, match="run fewer workers"):
        end.channel.ask(b"{}\n", 60 * SECOND_US, end.clock, wait)
    assert told in (1, 2)


def test_what_the_host_does_while_it_waits_is_not_charged(end: OtherEnd) -> None:
    told = 0

    def renew() -> None:
        nonlocal told
        told += 1
        end.clock.busy += 120 * 10**9
        if told == 2:
            end.reply(b"x\n")

    assert end.channel.ask(b"{}\n", 60 * SECOND_US, end.clock, renew) == b"x"
    assert end.channel.last_timing().charged_us < 60 * SECOND_US
    assert end.channel.last_timing().wall_us > 240 * SECOND_US


def test_nothing_is_known_of_a_time_before_the_first_request(end: OtherEnd) -> None:
    with pytest.raises(ValueError, match="nothing has been asked"):
        end.channel.last_timing()
