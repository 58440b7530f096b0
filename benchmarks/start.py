"""How quickly the command line, the games and a whole arena are there.

    python benchmarks/start.py [ROUNDS]         ends with 1 when a goal is not reached
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from arena.cli.stack import Plan, Stack
from benchmarks.services import open_folder

HELP_SECONDS, UP_SECONDS, IMPORT_RATIO = 0.15, 5.0, 3.0
ARENA = Path(sys.executable).with_name("arena")


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    bare, games = alternating(rounds, [sys.executable, "-c", ""], [sys.executable, "-c", "import arena.games"])
    (helped,) = alternating(rounds, [str(ARENA), "--help"])
    ups = [up() for _ in range(3)]
    ready = statistics.median(ups)
    print(f"arena --help: {helped * 1000:.0f} ms, at most {HELP_SECONDS * 1000:g} wanted")
    print(f"import arena.games: {games / bare:.2f} times bare Python ({games * 1000:.0f} and {bare * 1000:.0f} ms), "
          f"at most {IMPORT_RATIO:g} wanted")
    print(f"a whole arena ready to play: {ready:.1f} s, at most {UP_SECONDS:g} wanted")
    return int(helped > HELP_SECONDS or games > IMPORT_RATIO * bare or ready > UP_SECONDS)


def alternating(rounds: int, *commands: list[str]) -> list[float]:
    """The median of seconds that each command takes, one after the other in turn; the first time does not count."""
    took = [[timed(lambda command=command: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))  # type: ignore[misc]
             for command in commands] for _ in range(rounds + 1)]
    return [statistics.median(column) for column in zip(*took[1:], strict=True)]


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
    sys.exit(main())
