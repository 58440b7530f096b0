"""What the sandbox does in the long run, and on a machine that has no time for it.

    python benchmarks/sandbox_endurance.py claims [COUNT]   10,000 sandboxes, one after the other: what stays of them
    python benchmarks/sandbox_endurance.py attacks [ROWS]   every hostile bot, as root and as nobody, quiet and busy
    python benchmarks/sandbox_endurance.py honest           every sample bot in every game on a busy machine

ROWS are some of root-quiet, root-busy, nobody-quiet, nobody-busy; a worker that is not root has only the first two, for
itself.  Busy means three endless loops for each core.  These take minutes to an hour and give way to whatever else
runs, so `make bench` leaves them out.  Ends with 1 when something is not as it must be.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import combinations, product
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))           # nobody's interpreter knows nothing of this checkout

from arena import games  # noqa: E402
from arena.match.player import MatchInfo, Player  # noqa: E402
from arena.match.record import BotRef, MatchSetup  # noqa: E402
from arena.match.referee import play_match  # noqa: E402
from arena.match.time_control import DEFAULT_TIME_CONTROL  # noqa: E402
from arena.sandbox.attacks import all_attacks, attempt  # noqa: E402
from arena.sandbox.image import reachable_by_all  # noqa: E402
from arena.sandbox.player import Sandbox, pin_to_one_core  # noqa: E402
from arena.sandbox.traces import GROWTH_MB, Traces, left_over  # noqa: E402
from benchmarks.quick_bots import answered_once  # noqa: E402

CLAIMS = 10_000
WARM_UP = 50
SAMPLES = ("random", "greedy", "minimax")
HOGS_PER_CORE = 3
HOG = "print(flush=True)\nwhile True: pass"
GIVING_WAY = 5                  # to everybody else on the machine; the hogs as much as what they disturb
NOBODY = 65534
_sandboxes: list[Sandbox] = []          # of a worker process: its one


def main() -> int:
    os.nice(GIVING_WAY)
    sections: dict[str, Callable[..., bool]] = {
        "claims": claims, "attacks": attacks, "honest": honest, "attack-all": attack_all,
    }
    if len(sys.argv) < 2 or sys.argv[1] not in sections:
        print(__doc__)
        return 2
    return int(not sections[sys.argv[1]](*sys.argv[2:]))


def claims(count: str = str(CLAIMS)) -> bool:
    """Claim, play one move, close; again and again."""
    with temporary_folder() as folder:
        sandbox = Sandbox(folder)
        claim(sandbox, WARM_UP)
        before, began = settled(sandbox), time.perf_counter()
        claim(sandbox, int(count))
        took, after = time.perf_counter() - began, settled(sandbox)
        sandbox.close()
    print(f"{int(count):,} sandboxes in {took:.0f} s; before → after")
    for name in ("processes", "descriptors", "mounts", "files"):
        print(f"{name:<12} {len(getattr(before, name))} → {len(getattr(after, name))}")
    print(f"memory       {before.memory_mb:.1f} → {after.memory_mb:.1f} MB")
    return len(after.processes) <= len(before.processes) and not [
        thing for thing in left_over(before, after) if not thing.startswith("the processes")    # others wait now
    ]


def claim(sandbox: Sandbox, count: int) -> None:
    for _ in range(count):
        answered_once(sandbox).close()


def settled(sandbox: Sandbox) -> Traces:
    """With the usual number of sandboxes that wait."""
    sandbox.prepare(lambda: None)
    return Traces.now(Path(tempfile.gettempdir()))


def attacks(*rows: str) -> bool:
    """The table; a run of its own for each user and each load."""
    users = {"root": [], "nobody": dropping_to_nobody()} if os.geteuid() == 0 else {"root": []}
    print("| user | machine | bots × seats | as expected | minutes | worker grew by | left over |")
    print("|---|---|---|---|---|---|---|")
    held = [
        _row(user, drop, is_busy)
        for (user, drop), is_busy in product(users.items(), (False, True))
        if not rows or f"{user}-{'busy' if is_busy else 'quiet'}" in rows
    ]
    return all(held)


def _row(user: str, drop: list[str], is_busy: bool) -> bool:
    with temporary_folder() as folder, hogs(HOGS_PER_CORE * cores() if is_busy else 0):
        if drop:
            os.chown(folder, NOBODY, NOBODY)
        python = python_of_all() if drop else sys.executable
        done = subprocess.run(
            [*drop, python, __file__, "attack-all", str(folder)], stdout=subprocess.PIPE, check=False, cwd="/",
            env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
        )
    told = json.loads(done.stdout)
    busy = f"{HOGS_PER_CORE} loops a core" if is_busy else "quiet"
    shown = user if os.geteuid() == 0 else "ordinary user"
    print(f"| {shown} | {busy} | {told['tried']} | {told['tried'] - len(told['problems'])} | {told['minutes']:.1f} "
          f"| {told['grown_mb']:.1f} MB | {'; '.join(told['left']) or 'nothing'} |", flush=True)
    for problem in told["problems"]:
        print(f"    {problem}", flush=True)
    return not told["problems"] and not told["left"] and told["grown_mb"] <= GROWTH_MB


def attack_all(folder: str) -> bool:
    """As the user that runs this: every attack in both seats; what came of it, as JSON."""
    tempfile.tempdir = folder
    chosen = list(product(all_attacks(), (0, 1)))
    at_first = Traces.now(Path(folder))
    sandbox = Sandbox(Path(folder) / "image")
    before, began, problems = Traces.now(), time.perf_counter(), []
    for attack, seat in chosen:
        if problem := attempt(sandbox, attack, seat).problem:
            problems.append(f"{attack.name} in seat {seat}: {problem}")
    took, grown = time.perf_counter() - began, Traces.now().memory_mb - before.memory_mb
    sandbox.close()
    shutil.rmtree(Path(folder) / "image")
    left = list(left_over(at_first, Traces.now(Path(folder))))
    print(json.dumps({
        "tried": len(chosen), "problems": problems, "minutes": took / 60, "grown_mb": max(0.0, grown), "left": left,
    }))
    return True


def honest() -> bool:
    """As many matches at once as there are cores, with the default time control."""
    matches = list(product(games.names(), combinations(SAMPLES, 2)))
    ends: Counter[str] = Counter()
    longest = 0.0
    with temporary_folder() as folder, hogs(HOGS_PER_CORE * cores()):
        began = time.perf_counter()
        with ProcessPoolExecutor(cores(), initializer=_begin_to_play, initargs=(folder,)) as pool:
            for game, bots, found, slowest in pool.map(_match, matches):
                ends.update(found)
                longest = max(longest, slowest)
                print(f"{game:<8} {bots[0]:<7} {bots[1]:<8} {', '.join(found)}; longest wait in line of a turn "
                      f"{slowest:.0f} ms", flush=True)
        took = time.perf_counter() - began
    print(f"{len(matches)} matches, {cores()} at once, {HOGS_PER_CORE * cores()} loops beside them, "
          f"{DEFAULT_TIME_CONTROL}, {took / 60:.1f} minutes: {ends['timeout']} games lost on time, {dict(ends)}")
    return not ends.keys() - {"played"}


def _begin_to_play(folder: Path) -> None:
    """As a worker process does."""
    pin_to_one_core(os.getpid())
    _sandboxes.append(Sandbox(folder))


def _match(chosen: tuple[str, tuple[str, str]]) -> tuple[str, tuple[str, str], list[str], float]:
    """In a worker process."""
    game, names = chosen
    packages = [(ROOT / "bots" / "samples" / f"{name}.py").read_bytes() for name in names]

    def open_player(seat: int, info: MatchInfo, seed: bytes) -> Player:
        return _sandboxes[0].open_player(packages[seat], seat, info, seed, lambda: None)

    bots = (BotRef(names[0], 1, "0" * 64), BotRef(names[1], 1, "0" * 64))
    setup = MatchSetup(game, "games-2", DEFAULT_TIME_CONTROL, "5a" * 32, 4, bots)
    played = play_match(setup, open_player, lambda number, ply: None)
    ends = [one.verdict.kind if one.verdict else "played" for one in played.record.games]
    waits = [turn.timing.waited_us / 1000 for one in played.record.games for turn in one.turns]
    return game, names, ends, max(waits)


@contextmanager
def hogs(count: int) -> Iterator[None]:
    """Endless loops, which have begun; each in a session of its own, as a scheduler may be fair between sessions."""
    running = [
        subprocess.Popen([sys.executable, "-S", "-c", HOG], stdout=subprocess.PIPE, start_new_session=True)
        for _ in range(count)
    ]
    try:
        for hog in running:
            assert hog.stdout is not None
            hog.stdout.readline()
        yield
    finally:
        for hog in running:
            hog.kill()
            hog.communicate()


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """One that every user may enter, and the only place for temporary files meanwhile."""
    with tempfile.TemporaryDirectory(prefix="arena-endurance-") as name:
        os.chmod(name, 0o755)
        tempfile.tempdir = name
        try:
            yield Path(name)
        finally:
            tempfile.tempdir = None


def dropping_to_nobody() -> list[str]:
    return ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]


def python_of_all() -> str:
    """An interpreter that the user nobody can start."""
    candidates = [os.path.realpath(sys.executable), shutil.which("python3", path="/usr/bin:/usr/local/bin") or ""]
    return next(found for found in candidates if found and reachable_by_all(Path(found).resolve().parent))


def cores() -> int:
    return len(os.sched_getaffinity(0))


if __name__ == "__main__":
    sys.exit(main())
