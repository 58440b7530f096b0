"""How quickly the command line, the games and a whole arena are there.

    python benchmarks/start.py [--quick]        ends with 1 when a goal is not reached

By the wall clock, once for nothing and then in turn; medians of 25, of the arena of three.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from arena.cli.stack import Plan, Stack
from benchmarks.measuring import Effort, Rows, ratio, run
from benchmarks.rows import Row, at_most
from benchmarks.services import open_folder, require_redis, require_sandbox

HELP_MS, UP_SECONDS, IMPORT_RATIO = 150, 5, 3
ARENA = Path(sys.executable).with_name("arena")


def measure(effort: Effort) -> Rows:
    """From the smallest that starts to the largest."""
    rounds = effort.choose(25, 7)
    (helped,) = alternating(rounds, [str(ARENA), "--help"])
    yield Row("`arena --help`").judged([seconds * 1000 for seconds in helped], at_most(HELP_MS, "ms"))
    games, bare = alternating(rounds, [sys.executable, "-c", "import arena.games"], [sys.executable, "-c", ""])
    yield ratio("`python -c 'import arena.games'`", "`python -c ''`", games, bare, at_most(IMPORT_RATIO))
    require_redis()
    require_sandbox()
    ups = [up() for _ in range(effort.choose(3, 1))]
    yield Row("a whole arena ready to play, in a new data folder").judged(ups, at_most(UP_SECONDS, "s"))


def alternating(rounds: int, *commands: list[str]) -> list[tuple[float, ...]]:
    """The seconds that each command takes, one after the other in turn; the first time does not count."""
    took = [[timed(lambda command=command: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))  # type: ignore[misc]
             for command in commands] for _ in range(rounds + 1)]
    return list(zip(*took[1:], strict=True))


def up() -> float:
    """Seconds until matches can be played and the site answers, in a new data folder; the sandbox's image is there."""
    with open_folder() as folder:
        os.environ["ARENA_SANDBOX_DIR"] = f"{tempfile.gettempdir()}/arena-benchmark-image"
        begin = time.perf_counter()
        with Stack(Plan(folder / "data"), lambda text: None):
            return time.perf_counter() - begin


def timed(action: Callable[[], object]) -> float:
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


if __name__ == "__main__":
    sys.exit(run("Start", measure))
