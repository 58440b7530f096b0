"""Everything that has a goal, measured and printed as one table.

    make bench [QUICK=1] [WRITE=1] [ONLY="engines search"] [KAGGLE=/path/to/python]
    python benchmarks/run.py [--quick] [--write] [PROGRAM ...]

Programs: {programs}.

All of them take about eight minutes on two cores, with --quick about two; each is ended at its limit, and all limits
together are {limits} minutes.  Nothing else should run meanwhile.  Whole games are compared with those of
kaggle-environments where KAGGLE is an interpreter that has it.  Progress goes to standard error, the table to standard
output.  Ends with 1 when a goal is missed or a program fails; what cannot be measured here says so, and is no failure.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks import report
from benchmarks.report import Measured
from benchmarks.rows import Row, the_rest

FOLDER = Path(__file__).parent
DOCUMENT = FOLDER.parent / "docs" / "performance.md"
LIMITS_SECONDS = {              # of each program, in the order in which they run
    "engines": 150, "search": 90, "sandbox": 180, "matches": 150, "dispatch": 420, "ingest": 150, "leaderboards": 240,
    "site_load": 180, "start": 120,
}
GRACE_SECONDS = 20              # for a program to stop what it has started
TOLD_LINES = 12                 # of what a failed program has printed


@dataclass(frozen=True, slots=True)
class Program:
    """A file that hands over rows (see `measuring.run`), and how long it may take."""

    path: Path
    limit_seconds: float


def main() -> int:
    options = _options()
    programs = [Program(FOLDER / f"{name}.py", LIMITS_SECONDS[name]) for name in options.programs or LIMITS_SECONDS]
    begin = time.perf_counter()
    measured = measure_all(programs, ["--quick"] * options.quick, lambda text: print(text, end="", file=sys.stderr))
    lines = report.lines(measured, time.perf_counter() - begin, is_quick=options.quick)
    print("\n".join(lines))
    if options.write:
        report.write(DOCUMENT, lines)
    return int(any(one.is_unwell for one in measured))


def _options() -> argparse.Namespace:
    limits, programs = sum(LIMITS_SECONDS.values()) / 60, ", ".join(LIMITS_SECONDS)
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").format(limits=f"{limits:.0f}", programs=programs),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds and smaller sizes, for a first look")
    parser.add_argument("--write", action="store_true", help="put the table into docs/performance.md")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="only these")
    options = parser.parse_args()
    if unknown := set(options.programs) - set(LIMITS_SECONDS):
        parser.error(f"there is no {', '.join(sorted(unknown))}; take some of {programs}")
    if options.write and (options.quick or options.programs):
        parser.error("only everything, and not --quick, is written into the document")
    return options


def measure_all(programs: list[Program], options: list[str], say: Callable[[str], None]) -> list[Measured]:
    """One program after the other, whatever becomes of those before it."""
    measured = []
    for program in programs:
        say(f"{program.path.stem:<14}")
        one, printed = measure(program, options)
        say(f"{one.seconds:5.0f} s  {one.summary}\n")
        if one.has_failed:
            say("".join(f"    {line}\n" for line in printed.splitlines()[-TOLD_LINES:]))
        measured.append(one)
    return measured


def measure(program: Program, options: list[str]) -> tuple[Measured, str]:
    """Run it, to its end or its limit; its rows, one more for what went wrong, and what it has printed."""
    with tempfile.TemporaryDirectory(prefix="arena-rows-") as name:
        handed_over, printed = Path(name) / "rows", Path(name) / "printed"
        handed_over.touch()
        begin = time.perf_counter()
        with printed.open("wb") as output:
            command = [sys.executable, str(program.path), "--rows", str(handed_over), *options]
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, process_group=0)
        code = _code_of(process, program.limit_seconds)
        seconds = time.perf_counter() - begin
        rows = [Row.unpacked(line) for line in handed_over.read_text().splitlines()]
        text = printed.read_text(errors="replace")
    if code is None:
        rows.append(the_rest(rows).failed(f"took more than {program.limit_seconds:g} s"))
    elif code != int(any(row.is_unwell for row in rows)):
        last = text.strip().rpartition("\n")[2]
        rows.append(the_rest(rows).failed(last or f"ended with {code}"))
    return Measured(program.path.stem, rows, seconds), text


def _code_of(process: "subprocess.Popen[bytes]", limit_seconds: float) -> int | None:
    """How it ended; None at its limit.  In any case nothing of it is left."""
    try:
        return process.wait(limit_seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Let it stop what it has started, then end what is left of its group."""
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


if __name__ == "__main__":
    sys.exit(main())
