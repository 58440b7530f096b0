"""The whole matrix: `make faults`, or python -m tests.faults.run docs/reliability.md. Ends with 1 when a cell failed.

Four arenas are disturbed side by side, since most of the time one waits for something to come back; what is measured,
is measured alone. The document gets its tables whatever they say.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.faults.report import Report

FOLDER = Path(__file__).parent
BEFORE, WITHIN = "(due or leased)", "(mid-game or between)"         # as the tests of the phases are called
SIDE_BY_SIDE = (
    ("SQLite, before the first move", "test_matrix.py", f"test_on_sqlite and {BEFORE}"),
    ("SQLite, while it is played", "test_matrix.py", f"test_on_sqlite and {WITHIN}"),
    ("SQLite, from the report on", "test_matrix.py", f"test_on_sqlite and not {BEFORE} and not {WITHIN}"),
    ("PostgreSQL", "test_matrix.py", "test_on_postgresql"),
)
ALONE = (("hosts", "test_hosts.py", ""), ("recovery", "test_recovery.py", ""))

Part = tuple[str, str, str]
"""What to call it, the file, and which tests of it."""


def main(document: Path) -> int:
    """Run all parts, print what they say and the tables, and put these into the document."""
    report, codes = Report(), []
    with tempfile.TemporaryDirectory(prefix="arena-faults-") as name:
        for parts in (SIDE_BY_SIDE, *((part,) for part in ALONE)):
            codes += _run(parts, Path(name))
        for path in sorted(Path(name).glob("*.json")):
            report.add_saved(path)
    print("\n".join(report.lines()))
    report.write(document)
    return int(any(codes))


def _run(parts: tuple[Part, ...], folder: Path) -> list[int]:
    running = {title: _started(title, file, tests, folder) for title, file, tests in parts}
    codes = [process.wait() for process in running.values()]
    for title in running:
        print(f"--- {title}\n{_log_of(title, folder).read_text()}", flush=True)
    return codes


def _started(title: str, file: str, tests: str, folder: Path) -> "subprocess.Popen[bytes]":
    environment = os.environ | {"FAULTS": "all", "FAULTS_FOUND": str(folder / f"{title}.json")}
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-k", tests, str(FOLDER / file)]
    with _log_of(title, folder).open("wb") as log:
        return subprocess.Popen(command, env=environment, stdout=log, stderr=log)


def _log_of(title: str, folder: Path) -> Path:
    return folder / f"{title}.log"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
