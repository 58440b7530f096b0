"""How comparisons are measured and shown: two sides in turn, medians of the ratios, and one table."""

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 7

Timed = Callable[[], float]     # one measurement: nanoseconds for a unit of work


@dataclass(frozen=True)
class Row:
    """One comparison.  `goal` is the ratio that must be reached; None where it is told for information."""

    name: str
    peer: str
    unit: str
    ours: Timed
    theirs: Timed
    goal: float | None = None


def per_unit(work: Callable[[], int]) -> float:
    """Nanoseconds of processor time for each unit, of a piece of work that returns how many it did."""
    begin = time.process_time_ns()
    units = work()
    return (time.process_time_ns() - begin) / units


def report(title: str, rows: list[Row]) -> bool:
    """Measure the rows, each side in turn, and print the table; whether every goal was reached."""
    print(f"{title}; medians of {ROUNDS} rounds, Python {sys.version.split()[0]}\n")
    print("| what | against | ours, a second | theirs | ratio | lowest–highest | goal |")
    print("|---|---|---|---|---|---|---|")
    return not [row.name for row in rows if not _print_measured(row)]


def _print_measured(row: Row) -> bool:
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(row.ours())
        theirs.append(row.theirs())
    ratios = sorted(their / our for our, their in zip(ours, theirs, strict=True))
    ratio = statistics.median(ratios)
    goal = "" if row.goal is None else f"≥ {row.goal:g}"
    print(f"| {row.name} | {row.peer} | {_rate(ours)} {row.unit} | {_rate(theirs)} | **{ratio:.2f}** "
          f"| {ratios[0]:.2f}–{ratios[-1]:.2f} | {goal} |", flush=True)
    return row.goal is None or ratio >= row.goal


def _rate(nanoseconds: list[float]) -> str:
    """The median as a rate, with three digits."""
    rate = 1e9 / statistics.median(nanoseconds)
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:.3g}{letter}"
    return f"{rate:.3g}"
