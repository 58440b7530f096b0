"""What the sandbox costs, as ratios to the same work without it.

    python benchmarks/sandbox.py [--quick]      ends with 1 when a goal is not reached

By the wall clock, on one core.  Rounds are interleaved and medians of thirty taken, so a noisy machine moves both
sides of a ratio; absolute times are of this machine and this hour.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from arena.games import Game, load
from arena.sandbox import image, seccomp
from arena.sandbox.child_process import ChildProcess
from arena.sandbox.controls import LEAKS, LeakyLauncher
from arena.sandbox.doctor import examine
from arena.sandbox.limits import Limits
from arena.sandbox.player import Sandbox, open_unsafe_player, pin_to_one_core
from arena.sandbox.sandboxed_player import SandboxedPlayer
from arena.sandbox.tools import find_bwrap, find_setpriv
from arena.sandbox.verify import verify
from benchmarks.measuring import Effort, Rows, ratio, run
from benchmarks.quick_bots import CLOCK, CONSTANT, ECHO, INFO, LIMIT_US, SEED, answered_once
from benchmarks.rows import Row, at_most
from benchmarks.services import open_folder, require_sandbox

ROOT = Path(__file__).parents[1]
BUSY = b"""import time
def choose_move(position):
    enough = time.process_time() + 0.05
    while time.process_time() < enough: pass
    return 2
"""
READER = "import sys; sys.stdin.readline(); print(1, flush=True)"
IMPORTS = f"import sys; sys.path.append({str(ROOT)!r}); import json, os, random, resource, typing, arena.games; "
NAIVE = """
import json, sys
for line in iter(sys.stdin.buffer.readline, b""):
    request = json.loads(line)
    sys.stdout.buffer.write(json.dumps({"s": request["s"], "m": 2}).encode() + b"\\n")
    sys.stdout.buffer.flush()
"""
REQUEST = {"s": 1, "moves": [3, 8], "clock": [100.0, 2000.0, 0.5], "pits": [4] * 12, "stores": [0, 0], "note": "x" * 90}
MOVES = 500


def measure(effort: Effort) -> Rows:
    """What it adds to a start and to a move, whether its clock is fair, and how long its own examination takes."""
    require_sandbox()
    pin_to_one_core(0)
    rounds = effort.choose(30, 5)
    with open_folder() as folder:
        yield from starts(folder, rounds)
        yield from moves(folder, rounds)
        yield fairness(folder)
        yield doctor(folder)


def starts(folder: Path, rounds: int) -> list[Row]:
    """From nothing to a first answer, and back to nothing."""
    built = image.prepare(folder)
    cold, warm = Sandbox(folder, ready=0), Sandbox(folder, ready=1)
    took: dict[str, list[float]] = {}

    def note(name: str, action: Callable[[], object]) -> object:
        began = time.perf_counter()
        result = action()
        took.setdefault(name, []).append(time.perf_counter() - began)
        return result

    for _ in range(rounds):
        note("bare", lambda: answered([sys.executable, "-I", "-S", "-c", READER]))
        note("imports", lambda: answered([sys.executable, "-I", "-S", "-c", IMPORTS + READER]))
        note("minimal", lambda: minimal(built))
        player = note("cold", lambda: answered_once(cold))
        assert isinstance(player, SandboxedPlayer)
        note("verify", lambda child=player._child: verify(child, Limits()))      # type: ignore[misc]
        note("end", player.close)
        warm.prepare(lambda: None)
        player = note("warm", lambda: answered_once(warm))
        assert isinstance(player, SandboxedPlayer)
        player.close()
    cold.close()
    warm.close()
    built.release()
    return [
        ratio("the least Python that answers, behind bubblewrap and filter", "bare Python", took["minimal"],
              took["bare"], at_most(2.0)),
        ratio("a cold start to the first move", "bare Python with the same imports", took["cold"], took["imports"],
              at_most(1.6)),
        ratio("a warm claim to the first move", "bare Python", took["warm"], took["bare"], at_most(0.25)),
        Row("look at every layer of a sandbox from outside").judged(in_ms(took["verify"]), at_most(2, "ms")),
        Row("kill and reap a sandbox").judged(in_ms(took["end"]), at_most(50, "ms")),
    ]


def in_ms(seconds: list[float]) -> list[float]:
    return [1000 * each for each in seconds]


def moves(folder: Path, rounds: int) -> list[Row]:
    """One request and one answer, again and again."""
    sandbox = Sandbox(folder, ready=1)
    plain, echo = (subprocess.Popen([sys.executable, "-I", "-S", "-c", program], stdin=-1, stdout=-1)
                   for program in (NAIVE, ECHO))
    inside = sandbox.open_player(CONSTANT, 0, INFO, SEED, lambda: None)
    unfiltered = without_filter(folder)
    outside = open_unsafe_player(CONSTANT, 0, INFO, SEED, lambda: None)
    game = Game(load("oware"))
    per_move: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, action in (
            ("pipes", lambda: raw_round_trip(echo)),
            ("naive", lambda: naive_round_trip(plain)),
            ("inside", lambda: inside.choose(game, CLOCK, LIMIT_US)),
            ("unfiltered", lambda: unfiltered.choose(game, CLOCK, LIMIT_US)),
            ("outside", lambda: outside.choose(game, CLOCK, LIMIT_US)),
        ):
            per_move.setdefault(name, []).append(usual_time(action))
    for player in (inside, unfiltered, outside):
        player.close()
    for process in (plain, echo):
        process.kill()
        process.communicate()
    sandbox.close()
    ours = per_move["inside"]
    return [
        ratio("a move in the sandbox", "naive JSON on plain pipes, same core", ours, per_move["naive"], at_most(2.5)),
        ratio("a move in the sandbox", "bytes on plain pipes, same core", ours, per_move["pipes"], at_most(12)),
        ratio("a move in the sandbox", "the same without its filter", ours, per_move["unfiltered"], at_most(1.1)),
        ratio("a move in the sandbox", "the same outside", ours, per_move["outside"], at_most(1.1)),
    ]


def fairness(folder: Path) -> Row:
    """A move of 50 ms with three others on the core, by the fair clock, to the same move on a quiet one."""
    sandbox = Sandbox(folder, ready=1)
    player = sandbox.open_player(BUSY, 0, INFO, SEED, lambda: None)
    game = Game(load("oware"))

    def charged() -> list[float]:
        return [player.choose(game, CLOCK, LIMIT_US).timing.charged_us / 1e6 for _ in range(9)]

    quiet = charged()
    hogs = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(3)]
    busy = charged()
    for hog in hogs:
        hog.kill()
        hog.wait()
    player.close()
    sandbox.close()
    return ratio("what a 50 ms move is charged with three hogs on its core", "alone on it", busy, quiet, at_most(1.3))


def doctor(folder: Path) -> Row:
    began = time.perf_counter()
    report = examine(folder)
    if not report.ok:
        raise RuntimeError(f"the doctor is not content: {report.checks}")
    return Row("the whole examination of the sandbox").judged([time.perf_counter() - began], at_most(10, "s"))


def answered(command: list[str]) -> None:
    """Start it, ask once, wait for the answer, end it."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.kill()


def minimal(built: image.Image) -> None:
    """Bubblewrap and the filter around the least that can answer."""
    rules, rules_in = os.pipe()
    os.write(rules_in, seccomp.compiled())
    os.close(rules_in)
    python = [built.loader, "--library-path", "/lib", "/usr/bin/python3", "-S", "-s", "-P", "-B", "-c", READER]
    layers = ["--unshare-all", "--die-with-parent", "--as-pid-1", "--ro-bind", str(built.root), "/", "--chdir", "/"]
    command = [str(find_bwrap()), *layers, "--seccomp", str(rules), "--", *python]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[rules]) as process:
        os.close(rules)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.kill()


def without_filter(folder: Path) -> SandboxedPlayer:
    leak = LEAKS["no system call filter"]
    child = ChildProcess(LeakyLauncher(image.prepare(folder), Limits(), find_bwrap(), find_setpriv(), leak).start())
    child.settle(lambda: None)
    player = SandboxedPlayer(child, Limits(), lambda: None, lambda: None)
    player.load(CONSTANT, INFO, SEED)
    return player


def usual_time(action: Callable[[], object]) -> float:
    """The median of many: the rare call that somebody else's work came between does not count."""
    times = []
    for _ in range(MOVES):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def naive_round_trip(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(REQUEST).encode() + b"\n")
    process.stdin.flush()
    json.loads(process.stdout.readline())


def raw_round_trip(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    os.write(process.stdin.fileno(), b"x" * 200)
    os.read(process.stdout.fileno(), 100)


if __name__ == "__main__":
    sys.exit(run("The sandbox, on one core", measure))
