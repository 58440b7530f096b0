"""What goes wrong: how it is inflicted, and how it ends. Where it makes no sense, why."""

import signal
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field

from celery import Celery

from tests.faults import cups
from tests.faults.phases import At
from tests.faults.rig import LEASE_SECONDS, Rig, go_on, has_own_disk, kill, stop
from tests.faults.watching import Watcher
from tests.support.field import tournament
from tests.support.processes import eventually
from workers.celery_app import PLAY_TASK

LONGER_THAN_A_LEASE = LEASE_SECONDS + 1.5
JUMP_SECONDS = 3600
ENDS_SECONDS = 180
DEFLATED = b"x\x9c"                     # how a record begins, as it is stored

Strike = Callable[[Rig, At, ExitStack], None]
"""Inflicts the fault at once. What ends it, goes on the stack: it is called, last first, when the phase is over."""


@dataclass(frozen=True, slots=True)
class Fault:
    """`skipped`: reasons by phase; `needs` says why it cannot be had on an arena, or nothing.

    `ends`: how the attempts of its tournament may have ended.
    """

    name: str
    strike: Strike
    skipped: Mapping[str, str] = field(default_factory=dict)
    databases: tuple[str, ...] = ("SQLite",)
    needs: Callable[[Rig], str] = lambda rig: ""
    ends: frozenset[str] = frozenset(("finished", "expired", "fault", "returned"))


def _nothing(rig: Rig, at: At, end: ExitStack) -> None:
    pass


def _to_player(number: int) -> Strike:
    return lambda rig, at, end: kill(at.player or rig.players()[0], number)


def _to_part(name: str, number: int) -> Strike:
    return lambda rig, at, end: kill(rig.part(name), number)


def _to_site(number: int) -> Strike:
    """While it answers somebody who follows the tournament."""

    def strike(rig: Rig, at: At, end: ExitStack) -> None:
        watcher = Watcher(rig, at.cup.id)
        answer = watcher.begin()
        kill(rig.part("site"), number)
        end.callback(watcher.follow_to_the_end, answer)

    return strike


def _flush(rig: Rig, at: At, end: ExitStack) -> None:
    rig.queue.flushall()


def _stopped(which: Callable[[Rig, At], list[int]]) -> Strike:
    """SIGSTOP, and SIGCONT when every lease has run out."""

    def strike(rig: Rig, at: At, end: ExitStack) -> None:
        for pid in which(rig, at):
            stop(pid)
            end.callback(go_on, pid)
        end.callback(time.sleep, LONGER_THAN_A_LEASE)

    return strike


def _player(rig: Rig, at: At) -> list[int]:
    return [at.player or rig.players()[0]]


def _worker(rig: Rig, at: At) -> list[int]:
    return [rig.part("play"), *rig.players()]


def _redis(rig: Rig, at: At) -> list[int]:
    return [rig.part("redis")]


def _locked(rig: Rig, at: At, end: ExitStack) -> None:
    end.enter_context(rig.writing_locked())
    end.callback(time.sleep, LONGER_THAN_A_LEASE)


def _restarted(rig: Rig, at: At, end: ExitStack) -> None:
    rig.restart_database()


def _full(rig: Rig, at: At, end: ExitStack) -> None:
    rig.fill_disk()
    end.callback(rig.empty_disk)
    end.callback(time.sleep, LONGER_THAN_A_LEASE)


def _doubled(rig: Rig, at: At, end: ExitStack) -> None:
    """All matches of the tournament, four times more; also such as have no row yet."""
    known = [row.id for row in cups.match_rows_of(rig.store, at.cup)]
    newest = max(known, default=0)
    with Celery(broker=rig.stack.redis_itself) as sender:
        for _ in range(4):
            sender.send_task(PLAY_TASK, ([*known, newest + 1, newest + 2],), queue="play")


def _lost(rig: Rig, at: At, end: ExitStack) -> None:
    rig.take_messages()


def _delayed(rig: Rig, at: At, end: ExitStack) -> None:
    """Until the tournament is over."""
    late = rig.take_messages()

    def deliver() -> None:
        eventually(lambda: _is_over(rig, at), ENDS_SECONDS, "the tournament's end without these messages")
        rig.put_messages(late)
        eventually(lambda: not rig.queue.llen("play"), 30, "late messages are taken")

    end.callback(deliver)


def _answer_lost(rig: Rig, at: At, end: ExitStack) -> None:
    """The commit of the report arrives, its answer does not."""
    assert rig.sql_relay is not None
    trap = end.enter_context(rig.sql_relay.trap(_commits_a_report, loses_answer=True))

    def make_sure() -> None:
        assert trap.caught.wait(ENDS_SECONDS), "no report was committed"

    end.callback(make_sure)


def _commits_a_report(sent: bytes) -> bool:
    """Nothing else sends anything deflated; the statement itself does not show once it has been prepared."""
    return b"COMMIT" in sent and DEFLATED in sent


def _jump(seconds: int) -> Strike:
    def strike(rig: Rig, at: At, end: ExitStack) -> None:
        assert rig.clock is not None
        rig.clock.set(seconds)

    return strike


def _is_over(rig: Rig, at: At) -> bool:
    return bool(tournament(rig.store, at.cup.id).state == "finished")


def _own_disk(rig: Rig) -> str:
    return "" if has_own_disk(rig.folder) else "needs the right to mount a small disk"


def _clock(rig: Rig) -> str:
    return "" if rig.clock is not None else "needs a C compiler"


BEFORE_THE_REPORT = ("due", "leased", "mid-game", "between games", "held")
NOT_SENT = {"due": "no message has been sent yet"}
NO_MESSAGE_LEFT = {"end": "no message is left"}
NOBODY_PLAYS = {"due": "nobody plays yet"}
ONLY_A_REPORT = dict.fromkeys(BEFORE_THE_REPORT, "there is no report yet") | {"board": "the answer has come"}

BOTH = ("SQLite", "PostgreSQL")

FAULTS = (
    Fault("nothing", _nothing, databases=BOTH),
    Fault("worker killed (-9)", _to_part("play", signal.SIGKILL), databases=BOTH),
    Fault("Redis flushed", _flush),
    Fault("web server killed (-9) in mid-request", _to_site(signal.SIGKILL)),
    Fault("playing process killed (-9)", _to_player(signal.SIGKILL), databases=BOTH),
    Fault("Redis killed (-9)", _to_part("redis", signal.SIGKILL)),
    Fault("beat killed (-9)", _to_part("control", signal.SIGKILL)),
    Fault("playing process ended (TERM)", _to_player(signal.SIGTERM)),
    Fault("database locked longer than a lease", _locked, databases=BOTH),
    Fault("database restarted", _restarted, databases=("PostgreSQL",)),
    Fault("disk full longer than a lease", _full, needs=_own_disk),
    Fault("messages doubled", _doubled, ends=frozenset({"finished"})),
    Fault("worker ended (TERM)", _to_part("play", signal.SIGTERM), ends=frozenset({"finished", "returned"})),
    Fault("messages lost", _lost, NOT_SENT | NO_MESSAGE_LEFT),
    Fault("web server ended (TERM) in mid-request", _to_site(signal.SIGTERM)),
    Fault("messages delayed beyond the end", _delayed, NOT_SENT | NO_MESSAGE_LEFT),
    Fault("Redis restarted (TERM)", _to_part("redis", signal.SIGTERM)),
    Fault("Redis paused longer than a lease", _stopped(_redis)),
    Fault("beat ended (TERM)", _to_part("control", signal.SIGTERM)),
    Fault("report committed, its answer lost", _answer_lost, ONLY_A_REPORT, ("PostgreSQL",)),
    Fault("playing process stopped, back when its lease is another's", _stopped(_player), NOBODY_PLAYS, databases=BOTH),
    Fault("worker stopped, back when its leases ran out", _stopped(_worker), databases=BOTH),
    Fault("clock jumps forward by an hour", _jump(JUMP_SECONDS), needs=_clock),
    Fault("clock jumps back by an hour", _jump(-JUMP_SECONDS), needs=_clock),
)
