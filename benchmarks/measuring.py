"""How the programs here measure and hand over what they find: rounds with two sides in turn, rows, one table."""

import argparse
import signal
import statistics
import sys
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from benchmarks.rows import COLUMNS, Goal, Row, at_least, header, line, the_rest

Value = TypeVar("Value")
Timed = Callable[[], float]             # one measurement: nanoseconds for a unit of work
Rows = Generator[Row, None, None]       # one by one as they are found; closed early, it ends what it has started


class NotHere(Exception):
    """Something that a measurement needs is not on this machine; the message says what, and how to bring it."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done: everything, or little of it, to see that it runs and what comes of it."""

    is_quick: bool = False

    def choose(self, whole: Value, quick: Value) -> Value:
        return quick if self.is_quick else whole

    @property
    def rounds(self) -> int:
        return self.choose(7, 3)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides that do the same.  `goal` is how many times theirs our speed must be; None: told for information."""

    what: str
    peer: str
    unit: str
    ours: Timed
    theirs: Timed
    goal: float | None = None

    def measured(self, rounds: int) -> Row:
        """Each side in turn; the median of the ratios."""
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(self.ours())
            theirs.append(self.theirs())
        ratios = [their / our for our, their in zip(ours, theirs, strict=True)]
        row = Row(self.what, self.peer, f"{_rate(ours)} {self.unit} a second", _rate(theirs))
        return row.told(ratios) if self.goal is None else row.judged(ratios, at_least(self.goal))


def compared(comparisons: Iterable[Comparison], effort: Effort) -> Iterator[Row]:
    """Each of them, measured."""
    return (comparison.measured(effort.rounds) for comparison in comparisons)


def ratio(what: str, against: str, ours: Sequence[float], theirs: Sequence[float], goal: Goal) -> Row:
    """The row of seconds, taken in turn: how many times theirs ours are."""
    ratios = [our / their for our, their in zip(ours, theirs, strict=True)]
    row = Row(what, against, duration(statistics.median(ours)), duration(statistics.median(theirs)))
    return row.judged(ratios, goal)


def per_unit(work: Callable[[], int]) -> float:
    """Nanoseconds of processor time for each unit, of a piece of work that returns how many it did."""
    begin = time.process_time_ns()
    units = work()
    return (time.process_time_ns() - begin) / units


def run(title: str, measure: Callable[[Effort], Rows]) -> int:
    """A program's whole work: print each row when it is found, and hand it over to who wants it.

    Returns: 1 when a goal is missed, 2 when something breaks.  What is not here is said in a row, and misses nothing.
    """
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)       # so what was started is stopped
    effort = Effort(options.quick)
    print(f"{title}{'; little of it, for a first look' * effort.is_quick}; Python {sys.version.split()[0]}\n")
    print(header(*COLUMNS), flush=True)
    is_well = True
    try:
        with closing(measure(effort)) as rows:
            for row in _as_far_as_possible(rows):
                _hand_over(row, options.rows)
                is_well &= not row.is_unwell
    except Exception:
        traceback.print_exc()
        return 2
    return int(not is_well)


def _hand_over(row: Row, file: Path | None) -> None:
    print(line(row.cells()), flush=True)
    if file is not None:
        with file.open("a") as rows:
            rows.write(f"{row.packed()}\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=sys.modules["__main__"].__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds and smaller sizes, for a first look")
    parser.add_argument("--rows", type=Path, metavar="FILE", help="also add each row to this file, as a line of JSON")
    return parser.parse_args()


def _as_far_as_possible(rows: Iterator[Row]) -> Iterator[Row]:
    found = []
    try:
        for row in rows:
            found.append(row)
            yield row
    except NotHere as missing:
        yield the_rest(found).not_measured(str(missing))


def duration(seconds: float) -> str:
    """In the unit that suits it, with three digits."""
    for size, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def _rate(nanoseconds: list[float]) -> str:
    """The median as a rate, with three digits."""
    rate = 1e9 / statistics.median(nanoseconds)
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:.3g}{letter}"
    return f"{rate:.3g}"
