"""What a run of the matrix has found, as the tables of docs/reliability.md."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests.faults.faults import FAULTS
from tests.faults.phases import PHASES

BEGINS, ENDS = "<!-- produced by `make faults` -->", "<!-- the end of what `make faults` produced -->"
FAILED = "**failed**"


@dataclass(slots=True)
class Report:
    """Cells by database, fault and phase; measured times by what was measured, with their limit."""

    seconds: dict[tuple[str, str, str], float | None] = field(default_factory=dict)
    reasons: dict[tuple[str, str, str], str] = field(default_factory=dict)
    measured: list[tuple[str, float, float]] = field(default_factory=list)

    def lines(self) -> list[str]:
        """All of it, in Markdown."""
        databases = sorted({database for database, _, _ in (*self.seconds, *self.reasons)}, reverse=True)
        lines = [f"Run on {datetime.now(UTC):%Y-%m-%d}: {self._summary()}."]
        for database in databases:
            lines += ["", f"### On {database}", "", *self._table(database)]
        if self.measured:
            lines += ["", "### Recovery", "", "| measured | within | took |", "|---|---|---|"]
            lines += [f"| {what} | {limit:g} s | {took:.1f} s |" for what, limit, took in self.measured]
        return lines

    def write(self, path: Path) -> None:
        """Between the marks of the document; the rest of it stays."""
        head, _, rest = path.read_text().partition(BEGINS)
        tail = rest.partition(ENDS)[2]
        path.write_text("\n".join([head + BEGINS, "", *self.lines(), "", ENDS + tail]))

    def _summary(self) -> str:
        failed = sum(each is None for each in self.seconds.values())
        return f"{len(self.seconds)} cells, {failed} failed, {len(self.reasons)} make no sense"

    def _table(self, database: str) -> list[str]:
        reasons: list[str] = []
        lines = ["| fault | " + " | ".join(phase.name for phase in PHASES) + " |", "|---" * (len(PHASES) + 1) + "|"]
        for fault in FAULTS:
            places = [(database, fault.name, phase.name) for phase in PHASES]
            if any(place in self.seconds for place in places):
                lines.append(f"| {fault.name} | " + " | ".join(self._cell(place, reasons) for place in places) + " |")
        if reasons:
            lines += ["", "; ".join(f"{_letter(number)}: {reason}" for number, reason in enumerate(reasons)) + "."]
        return lines

    def _cell(self, place: tuple[str, str, str], reasons: list[str]) -> str:
        if place in self.reasons:
            if self.reasons[place] not in reasons:
                reasons.append(self.reasons[place])
            return f"– ({_letter(reasons.index(self.reasons[place]))})"
        if place not in self.seconds:
            return ""
        took = self.seconds[place]
        return FAILED if took is None else f"{took:.1f}"


def _letter(number: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[number]
