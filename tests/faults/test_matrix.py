"""Faults × phases, on real processes: one small tournament each, disturbed once, then compared with a quiet one."""

import os
import time
from contextlib import ExitStack

import pytest

from tests.faults import checks
from tests.faults.faults import FAULTS, Fault
from tests.faults.phases import PHASES, Phase
from tests.faults.report import Report
from tests.faults.rig import Rig
from tests.support.redis_server import is_installed

pytestmark = [
    pytest.mark.services, pytest.mark.slow, pytest.mark.timeout(600),
    pytest.mark.skipif(not is_installed(), reason="redis-server is not installed"),
]

IS_WHOLE = os.environ.get("FAULTS") == "all"        # as `make faults` says
REPRESENTATIVE = {
    ("playing process killed (-9)", "ingest"),
    ("Redis flushed", "board"),
    ("messages lost", "leased"),
    ("clock jumps back by an hour", "mid-game"),
    ("disk full longer than a lease", "ingest"),
    ("playing process stopped, back when its lease is another's", "ingest"),
}
REPRESENTATIVE_ON_POSTGRESQL = {("report committed, its answer lost", "ingest"), ("database restarted", "ingest")}


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
    place = rig.database, fault.name, phase.name
    if reason := fault.skipped.get(phase.name) or fault.needs(rig):
        report.reasons[place] = reason
        pytest.skip(reason)
    report.seconds[place] = None
    name = f"c{FAULTS.index(fault):02}{PHASES.index(phase)}"
    try:
        with ExitStack() as end, phase.reached(rig, name, phase.pace) as at:
            struck = time.monotonic()
            fault.strike(rig, at, end)
        checks.assert_as_if_undisturbed(rig, at.cup)
        took = time.monotonic() - struck
        checks.assert_nothing_left(rig)
        report.seconds[place] = took
    finally:
        rig.put_right()
