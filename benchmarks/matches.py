"""What the referee, the clocks and the sandbox add to a match, and how many games a second that makes.

    python benchmarks/matches.py [--quick]              ends with 1 when a goal is not reached
    KAGGLE=/path/to/python python benchmarks/matches.py

In processor time, of all processes that take part, which work one after the other on one core; medians of seven
rounds.  KAGGLE is an interpreter that has kaggle-environments (1.3 GB, so `make bench` does not bring it): with it,
whole games are compared, too.
"""

import os
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from arena.games import Game, load, names
from arena.match.player import MatchInfo, Player
from arena.match.record import BotRef, MatchRecord, MatchSetup
from arena.match.referee import play_match
from arena.sandbox.player import Sandbox, pin_to_one_core
from arena.sandbox.sandboxed_player import SandboxedPlayer
from benchmarks.measuring import Comparison, Effort, NotHere, Rows, compared, run
from benchmarks.quick_bots import CLOCK, ECHO, FIRST_LEGAL, LIMIT_US, answered_once
from benchmarks.rows import Row, at_least
from benchmarks.services import open_folder, require_sandbox

REQUEST = b'{"s":1,"moves":[],"clock":[100000,2000000,500]}\n'
PLAYS_CONNECTX = """
import sys, time
sys.stdout, out = sys.stderr, sys.stdout
from kaggle_environments import make
def first(observation, configuration):
    return next(column for column in range(configuration.columns) if not observation.board[column])
env = make("connectx")
print("ready", file=out, flush=True)
for line in sys.stdin:
    begin = time.process_time_ns()
    for _ in range(10):
        env.run([first, first])
    print((time.process_time_ns() - begin) // 10, file=out, flush=True)
"""
CPU_CLOCK_OF_PROCESS = 2        # <linux/posix-timers.h>: CPUCLOCK_SCHED, for a whole process
ROUND_TRIPS = 2000
GAMES = 50
GAMES_A_SECOND = 500.0
KAGGLES_GAME = "connectx of kaggle-environments (20 turns), not sandboxed"
KAGGLE_RATIO = 25.0


def measure(effort: Effort) -> Rows:
    """A turn, then whole games."""
    require_sandbox()
    pin_to_one_core(0)
    with open_folder() as folder, closing(Sandbox(folder, ready=2)) as sandbox:
        with (
            started([sys.executable, "-I", "-S", "-c", ECHO]) as echo,
            closing(answered_once(sandbox)) as player, closing(answered_once(sandbox)) as bare,
        ):
            yield from compared(round_trips(player, bare, echo), effort)
        for ruleset in names():
            yield games(sandbox, ruleset, effort)
        yield from against_kaggle(sandbox, effort)


def games(sandbox: Sandbox, ruleset: str, effort: Effort) -> Row:
    """How many whole games a second; the goal is for Oware."""
    rates = [1e9 / Match(sandbox, ruleset).time_of_a_game() for _ in range(effort.rounds)]
    row = Row(a_game(sandbox, ruleset))
    goal = at_least(GAMES_A_SECOND, "a second")
    return row.judged(rates, goal) if ruleset == "oware" else row.told(rates, goal.unit)


def against_kaggle(sandbox: Sandbox, effort: Effort) -> Rows:
    """Oware, and the game whose length is nearest to theirs."""
    for ruleset in ("oware", "anywoli"):
        what = a_game(sandbox, ruleset)
        try:
            with kaggle() as peer:
                match = Match(sandbox, ruleset)
                yield Comparison(
                    what, KAGGLES_GAME, "games", match.time_of_a_game, lambda: asked(peer), KAGGLE_RATIO
                ).measured(effort.rounds)
        except NotHere as missing:
            yield Row(what, KAGGLES_GAME).not_measured(str(missing), at_least(KAGGLE_RATIO))


def a_game(sandbox: Sandbox, ruleset: str) -> str:
    turns = Match(sandbox, ruleset).turns_of_a_game()
    return f"{load(ruleset).title}: a game ({turns:.0f} turns), both bots taking the first legal move"


@contextmanager
def kaggle() -> Iterator["subprocess.Popen[bytes]"]:
    """Its games, played when they are asked for.  Raises: NotHere."""
    python = os.environ.get("KAGGLE")
    if not python:
        raise NotHere("kaggle-environments is not installed; say KAGGLE=/path/to/python of one that has it")
    with started([python, "-c", PLAYS_CONNECTX]) as peer:
        assert peer.stdout is not None
        if peer.stdout.readline() != b"ready\n":
            raise NotHere(f"{python} has no kaggle-environments that plays connectx")
        yield peer


def round_trips(
    player: SandboxedPlayer, bare: SandboxedPlayer, echo: "subprocess.Popen[bytes]"
) -> list[Comparison]:
    """A turn against the least that a request, an answer and a deadline can cost; `bare` is asked without clocks."""
    game = Game(load("oware"))
    channel = bare._child.channel
    unclocked = exchange(REQUEST, channel._requests, channel._replies)
    assert echo.stdin is not None
    assert echo.stdout is not None
    plain = exchange(b"x" * len(REQUEST), echo.stdin.fileno(), echo.stdout.fileno())
    floor = "bytes on pipes, with a deadline"
    return [
        Comparison("the protocol: a request to the child and its answer", floor, "turns",
                   lambda: each(unclocked, bare._child.pid), lambda: each(plain, echo.pid), 1 / 1.6),
        Comparison("a turn with fair clocks and the watch on the idle bot", floor, "turns",
                   lambda: each(lambda: player.choose(game, CLOCK, LIMIT_US), player._child.pid),
                   lambda: each(plain, echo.pid), 1 / 2.5),
    ]


def exchange(request: bytes, down: int, up: int) -> Callable[[], object]:
    """One request and its answer, waited for until a deadline."""
    poll = select.poll()
    poll.register(up, select.POLLIN)

    def once() -> None:
        os.write(down, request)
        if not poll.poll(1000):
            raise TimeoutError
        os.read(up, 4097)

    return once


def each(action: Callable[[], object], partner: int) -> float:
    """Nanoseconds of this process and its partner for one of many."""
    begin = used(partner)
    for _ in range(ROUND_TRIPS):
        action()
    return (used(partner) - begin) / ROUND_TRIPS


def used(partner: int) -> int:
    """Processor time so far."""
    return time.process_time_ns() + time.clock_gettime_ns(~partner << 3 | CPU_CLOCK_OF_PROCESS)


@dataclass(frozen=True)
class Match:
    """A match of many games between two bots that take the first legal move."""

    sandbox: Sandbox
    ruleset: str

    def time_of_a_game(self) -> float:
        """Nanoseconds of all that takes part, the sandboxes ready before."""
        self.sandbox.prepare(lambda: None)
        begin = time.process_time_ns()
        played = self._played(GAMES)
        host = time.process_time_ns() - begin
        guests = sum(turn.timing.cpu_us for game in played.games for turn in game.turns)
        return (host + guests * 1000) / GAMES

    def turns_of_a_game(self) -> float:
        """How many of them bots are asked for."""
        return statistics.mean(len(game.turns) for game in self._played(10).games)

    def _played(self, games: int) -> MatchRecord:
        bots = (BotRef("a", 1, "0" * 64), BotRef("b", 1, "1" * 64))
        setup = MatchSetup(self.ruleset, f"games-{games}", "quick", "ab" * 32, 4, bots)
        return play_match(setup, self._open_player, lambda number, ply: None).record

    def _open_player(self, seat: int, info: MatchInfo, seed: bytes) -> Player:
        return self.sandbox.open_player(FIRST_LEGAL, seat, info, seed, lambda: None)


@contextmanager
def started(command: list[str]) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that answers, ended afterwards."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def asked(peer: "subprocess.Popen[bytes]") -> float:
    """Nanoseconds it took for one of its games."""
    assert peer.stdin is not None
    assert peer.stdout is not None
    peer.stdin.write(b"go\n")
    peer.stdin.flush()
    return float(peer.stdout.readline())


if __name__ == "__main__":
    sys.exit(run("Matches, on one core", measure))
