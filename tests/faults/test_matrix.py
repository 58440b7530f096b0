"""Faults × phases, on real processes: one small tournament each, disturbed once, then compared with a quiet one."""

import os
from contextlib import ExitStack

import pytest

from tests.faults import checks
from tests.faults.faults import FAULTS, Fault
from tests.faults.phases import PHASES, Phase
from tests.faults.rig import Rig
from tests.support.redis_server import is_installed

pytestmark = [
    pytest.mark.services, pytest.mark.slow, pytest.mark.timeout(300),
    pytest.mark.skipif(not is_installed(), reason="redis-server is not installed"),
]


REPRESENTATIVE = {                      # the rest of them: make faults
    ("playing process killed (-9)", "ingest"),
    ("Redis flushed", "board"),
    ("messages lost", "leased"),
    ("clock jumps back by an hour", "mid-game"),
    ("disk full longer than a lease", "ingest"),
    ("playing process stopped, back when its lease is another's", "ingest"),
}
IS_WHOLE = os.environ.get("FAULTS") == "all"
CELLS = [
    pytest.param(phase, fault, id=f"{fault.name}, {phase.name}")
    for phase in PHASES for fault in FAULTS if IS_WHOLE or (fault.name, phase.name) in REPRESENTATIVE
]


@pytest.mark.parametrize(("phase", "fault"), CELLS)
def test_as_if_undisturbed(on_sqlite: Rig, phase: Phase, fault: Fault) -> None:
    disturb(on_sqlite, phase, fault)


def disturb(rig: Rig, phase: Phase, fault: Fault) -> None:
    if reason := fault.skipped.get(phase.name) or fault.needs(rig):
        pytest.skip(reason)
    name = f"c{FAULTS.index(fault):02}{PHASES.index(phase)}"
    try:
        with ExitStack() as end, phase.reached(rig, name, phase.pace) as at:
            fault.strike(rig, at, end)
        checks.assert_as_if_undisturbed(rig, at.cup)
        checks.assert_nothing_left(rig)
    finally:
        rig.put_right()
