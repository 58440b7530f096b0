"""Faults × phases, on real processes: one small tournament each, disturbed once, then compared with a quiet one."""

import os
import time
from contextlib import ExitStack

import pytest

from tests.faults import checks
from tests.faults.faults import FAULTS, Fault
from tests.faults.phases import PHASES, Phase
from tests.faults.report import Cell, Report
from tests.faults.rig import Rig
from tests.support.redis_server import is_installed

pytestmark = [
    pytest.mark.services, pytest.mark.slow, pytest.mark.timeout(600),
    pytest.mark.skipif(not is_installed(), reason="redis-server is not installed"),
]

IS_WHOLE = os.environ.get("FAULTS") == "all"        # as `make faults` says
REPRESENTATIVE = {
    ("beat killed (-9)", "due"),
    ("messages lost", "leased"),
    ("messages doubled", "leased"),
    ("worker killed (-9)", "mid-game"),
    ("worker ended (TERM)", "between games"),
    ("clock jumps back by an hour", "mid-game"),
    ("playing process killed (-9)", "held"),
    ("playing process ended (TERM)", "held"),
    ("playing process killed (-9)", "ingest"),
    ("playing process stopped, back when its lease is another's", "ingest"),
    ("Redis flushed", "board"),
    ("disk full longer than a lease", "end"),
}
REPRESENTATIVE_ON_POSTGRESQL = {
    ("worker killed (-9)", "mid-game"),
    ("database locked longer than a lease", "held"),
    ("report committed, its answer lost", "ingest"),
    ("database restarted", "ingest"),
}


def cells(database: str, representative: set[tuple[str, str]]) -> list[object]:
    """Phase by phase, so that the arena's parts have time to come back between two blows of one kind."""
    return [
        pytest.param(phase, fault, id=f"{fault.name}, {phase.name}")
        for phase in PHASES for fault in FAULTS
        if database in fault.databases and (IS_WHOLE or (fault.name, phase.name) in representative)
    ]


@pytest.mark.parametrize(("phase", "fault"), cells("SQLite", REPRESENTATIVE))
def test_on_sqlite(on_sqlite: Rig, report: Report, phase: Phase, fault: Fault) -> None:
    disturb(on_sqlite, report, phase, fault)


@pytest.mark.parametrize(("phase", "fault"), cells("PostgreSQL", REPRESENTATIVE_ON_POSTGRESQL))
def test_on_postgresql(on_postgresql: Rig, report: Report, phase: Phase, fault: Fault) -> None:
    disturb(on_postgresql, report, phase, fault)


def disturb(rig: Rig, report: Report, phase: Phase, fault: Fault) -> None:
    if reason := fault.skipped.get(phase.name) or fault.needs(rig):
        report.cells.append(Cell(rig.database, fault.name, phase.name, reason=reason))
        pytest.skip(reason)
    name, took = f"c{FAULTS.index(fault):02}{PHASES.index(phase)}", None
    try:
        with ExitStack() as end, phase.reached(rig, name, phase.pace) as at:
            struck = time.monotonic()
            fault.strike(rig, at, end)
        checks.assert_as_if_undisturbed(rig, at.cup)
        checks.assert_ends(rig, at.cup, fault.ends)
        checks.assert_nothing_left(rig)
        took = time.monotonic() - struck
    finally:
        report.cells.append(Cell(rig.database, fault.name, phase.name, took))
        rig.put_right()
