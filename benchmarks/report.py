"""The table of everything that has a goal, with the machine it was measured on, and its place in the document."""

import os
import platform
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.rows import COLUMNS, Row, Verdict, header, line

BEGINS, ENDS = "<!-- printed by `make bench WRITE=1` -->", "<!-- the end of what `make bench` printed -->"
TOLD = len(COLUMNS) - 2         # so many columns has a row for information: neither goal nor verdict


@dataclass(frozen=True, slots=True)
class Measured:
    """What a program has handed over, and how long it took."""

    program: str
    rows: list[Row]
    seconds: float

    @property
    def is_unwell(self) -> bool:
        return any(row.is_unwell for row in self.rows)

    @property
    def has_failed(self) -> bool:
        return any(row.verdict is Verdict.FAILED for row in self.rows)

    @property
    def summary(self) -> str:
        """How many goals came to what."""
        return summary(self.rows)


def summary(rows: Iterable[Row]) -> str:
    counts = Counter(row.verdict for row in rows)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])


def lines(measured: list[Measured], seconds: float, *, is_quick: bool = False) -> list[str]:
    """All of it, in Markdown: on what and when, what has a goal, what has none."""
    rows = [(one.program, row) for one in measured for row in one.rows]
    judged = [(program, row) for program, row in rows if row.verdict is not Verdict.WITHOUT_GOAL]
    told = [(program, row) for program, row in rows if row.verdict is Verdict.WITHOUT_GOAL]
    counted = f"{summary(row for _, row in judged)}; measured in {seconds / 60:.1f} minutes"
    found = ["**A first look: fewer rounds and smaller sizes, not to be quoted.**", ""] if is_quick else []
    found += [f"{machine()}.", "", f"Of {len(judged)} rows with a goal: {counted}.", ""]
    found += [header("program", *COLUMNS), *(line([program, *row.cells()]) for program, row in judged)]
    if told:
        found += ["", "For information, without a goal:", "", header("program", *COLUMNS[:TOLD])]
        found += [line([program, *row.cells()[:TOLD]]) for program, row in told]
    return found


def write(document: Path, printed: list[str]) -> None:
    """Between the marks of the document; the rest of it stays.  Raises: ValueError where there are none."""
    head, begins, rest = document.read_text().partition(BEGINS)
    _, ends, tail = rest.partition(ENDS)
    if not begins or not ends:
        raise ValueError(f"{document} has no place for the table: {BEGINS} and {ENDS}")
    document.write_text("\n".join([head + BEGINS, "", *printed, "", ENDS + tail]))


def machine() -> str:
    """What was measured, where, by which Python, when."""
    cores = len(os.sched_getaffinity(0))
    processor = f"{cores} core{'s' * (cores > 1)} of {_processor()}"
    python = f"Python {platform.python_version()}, {_build()}"
    return f"{processor}; {python}; {datetime.now(UTC):%Y-%m-%d}; commit {_commit()}"


def _processor() -> str:
    try:
        described = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    names = (text.partition(":")[2].strip() for text in described.splitlines() if text.startswith("model name"))
    return next(names, platform.machine())


def _build() -> str:
    """Whose interpreter it is, or whether a profile of itself was used when it was built; set-up asks the same."""
    if sys.base_prefix == "/usr":
        return "the system's own"
    is_optimized = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
    return "an optimized build" if is_optimized else "built without optimizations"


def _commit() -> str:
    """The short name, with a mark where files differ from it."""
    command = ["git", "describe", "--always", "--dirty=, with changes", "--exclude=*"]
    try:
        told = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return told.stdout.strip() or "unknown"
