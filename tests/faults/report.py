"""What a run of the matrix has found, as the tables of docs/reliability.md."""

import json
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests.faults.faults import FAULTS
from tests.faults.phases import PHASES

BEGINS, ENDS = "<!-- produced by `make faults` -->", "<!-- the end of what `make faults` produced -->"


@dataclass(frozen=True, slots=True)
class Cell:
    """One fault in one phase: how long it took from the blow until all was as it must be, or why there is no such."""

    database: str
    fault: str
    phase: str
    seconds: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    what: str
    limit: float
    seconds: float


@dataclass(slots=True)
class Report:
    """Cells in any order; a cell without seconds and reason has failed."""

    cells: list[Cell] = field(default_factory=list)
    measured: list[Measured] = field(default_factory=list)

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)))

    def add_saved(self, path: Path) -> None:
        saved = json.loads(path.read_text())
        self.cells += [Cell(**cell) for cell in saved["cells"]]
        self.measured += [Measured(**measured) for measured in saved["measured"]]

    def lines(self) -> list[str]:
        """All of it, in Markdown."""
        lines = [f"Run on {datetime.now(UTC):%Y-%m-%d}: {self._summary()}."]
        for database in sorted({cell.database for cell in self.cells}, reverse=True):
            lines += ["", f"### On {database}", "", *self._table(database)]
        if self.measured:
            lines += ["", "### Recovery", "", "| measured | within | took |", "|---|---|---|"]
            lines += [f"| {each.what} | {each.limit:g} s | {each.seconds:.1f} s |" for each in self.measured]
        return lines

    def write(self, path: Path) -> None:
        """Between the marks of the document; the rest of it stays."""
        head, _, rest = path.read_text().partition(BEGINS)
        tail = rest.partition(ENDS)[2]
        path.write_text("\n".join([head + BEGINS, "", *self.lines(), "", ENDS + tail]))

    def _summary(self) -> str:
        skipped = sum(bool(cell.reason) for cell in self.cells)
        failed = sum(_has_failed(cell) for cell in self.cells)
        return f"{len(self.cells) - skipped} cells, {failed} failed; {skipped} that cannot be"

    def _table(self, database: str) -> list[str]:
        reasons: list[str] = []
        found = {(cell.fault, cell.phase): cell for cell in self.cells if cell.database == database}
        lines = ["| fault | " + " | ".join(phase.name for phase in PHASES) + " |", "|---" * (len(PHASES) + 1) + "|"]
        for fault in FAULTS:
            row = [found.get((fault.name, phase.name)) for phase in PHASES]
            if any(row):
                lines.append(f"| {fault.name} | " + " | ".join(_shown(cell, reasons) for cell in row) + " |")
        if reasons:
            lines += ["", "; ".join(f"{_letter(number)}: {reason}" for number, reason in enumerate(reasons)) + "."]
        return lines


def _shown(cell: Cell | None, reasons: list[str]) -> str:
    if cell is None:
        return "not run"
    if _has_failed(cell):
        return "**failed**"
    if not cell.reason:
        return f"{cell.seconds:.1f}"
    if cell.reason not in reasons:
        reasons.append(cell.reason)
    return f"– ({_letter(reasons.index(cell.reason))})"


def _has_failed(cell: Cell) -> bool:
    return cell.seconds is None and not cell.reason


def _letter(number: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[number]
