"""One line of a table of measurements: what was found against which goal, how it travels, and how it is shown."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

COLUMNS = ("what", "against", "ours", "theirs", "found", "lowest–highest", "goal", "reached")


class Verdict(StrEnum):
    """What became of a goal; without one, a row is told for information."""

    REACHED = "reached"
    MISSED = "missed"
    NOT_MEASURED = "not measured"       # something is not here; nobody's fault
    FAILED = "failed"                   # the program did not get as far
    WITHOUT_GOAL = "without a goal"


@dataclass(frozen=True, slots=True)
class Goal:
    """The least or the most that may be found, of a unit; a ratio has none."""

    bound: float
    is_least: bool
    unit: str = ""

    def is_reached_by(self, found: float) -> bool:
        """Whether it is good enough."""
        return found >= self.bound if self.is_least else found <= self.bound

    def __str__(self) -> str:
        return f"{'≥' if self.is_least else '≤'} {round(self.bound, 3):,g} {self.unit}".rstrip()


def at_least(bound: float, unit: str = "") -> Goal:
    """For what shall be much: speed, a rate.

    >>> str(at_least(1000, "a second")), at_least(1.3).is_reached_by(1.2)
    ('≥ 1,000 a second', False)
    """
    return Goal(bound, True, unit)


def at_most(bound: float, unit: str = "") -> Goal:
    """For what shall be little: time, memory."""
    return Goal(bound, False, unit)


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured, against what; then what was found.  All as it is shown, so a row is read where it stands."""

    what: str
    against: str = ""
    ours: str = ""
    theirs: str = ""
    found: str = ""
    spread: str = ""
    goal: str = ""
    verdict: Verdict = Verdict.WITHOUT_GOAL
    why: str = ""

    def judged(self, found: Sequence[float], goal: Goal) -> "Row":
        """With the median of what was found, again and again, and whether that reaches the goal."""
        is_reached = goal.is_reached_by(statistics.median(found))
        verdict = Verdict.REACHED if is_reached else Verdict.MISSED
        return replace(self.told(found, goal.unit), goal=str(goal), verdict=verdict)

    def told(self, found: Sequence[float], unit: str = "") -> "Row":
        """With the median of what was found, for information."""
        spread = f"{_digits(min(found), unit)}–{_digits(max(found), unit)}" if len(found) > 1 else ""
        return replace(self, found=f"{_digits(statistics.median(found), unit)} {unit}".rstrip(), spread=spread)

    def not_measured(self, why: str, goal: Goal | None = None) -> "Row":
        """Something that it needs is not here."""
        return replace(self, verdict=Verdict.NOT_MEASURED, why=why, goal=str(goal or ""))

    def failed(self, why: str) -> "Row":
        """The program broke, or took too long."""
        return replace(self, verdict=Verdict.FAILED, why=why)

    @property
    def is_unwell(self) -> bool:
        """Whether whoever waits for the end must be told."""
        return self.verdict in (Verdict.MISSED, Verdict.FAILED)

    def cells(self) -> list[str]:
        """What the columns of a table hold."""
        return [self.what, self.against, self.ours, self.theirs, self.found, self.spread, self.goal, self._judgement()]

    def _judgement(self) -> str:
        return {
            Verdict.REACHED: "yes",
            Verdict.MISSED: "**no**",
            Verdict.NOT_MEASURED: f"not measured: {self.why}",
            Verdict.FAILED: f"**failed**: {self.why}",
            Verdict.WITHOUT_GOAL: "",
        }[self.verdict]

    def packed(self) -> str:
        """On one line, as it goes from the program that measured to the one that shows all."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def unpacked(cls, line: str) -> "Row":
        """What was packed there."""
        packed = json.loads(line)
        return cls(**packed | {"verdict": Verdict(packed["verdict"])})


def the_rest(rows: Sequence[Row]) -> Row:
    """What stands for all that is not found after these."""
    return Row("everything else" if rows else "everything")


def header(*columns: str) -> str:
    """The first two lines of a table."""
    return f"{line(columns)}\n|{'---|' * len(columns)}"


def line(cells: Sequence[str]) -> str:
    """A line of a table, in Markdown; what would break it is taken out."""
    return f"| {' | '.join(' '.join(cell.replace('|', '/').split()) for cell in cells)} |"


def _digits(number: float, unit: str) -> str:
    """Ratios with two decimals; the rest with no more than tells something."""
    decimals = 2 if not unit or number < 10 else 1 if number < 100 else 0
    return f"{number:,.{decimals}f}"
