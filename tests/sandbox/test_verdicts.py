"""What the host sees of an end, and who pays for it."""

import signal

import pytest

from arena.errors import ArenaFault, BotCrash, BotFault, BotMemory, BotSecurity, BotTimeout, SandboxLost
from arena.sandbox.child_process import Ending
from arena.sandbox.verdicts import fault_of

CPU_LIMIT = 3600


@pytest.mark.parametrize(
    ("ending", "fault"),
    [
        (Ending(code=0), BotCrash),
        (Ending(code=97), BotCrash),
        (Ending(code=127), BotCrash),
        (Ending(code=96), BotMemory),
        (Ending(), BotCrash),
        (Ending(signal=signal.SIGSEGV), BotCrash),
        (Ending(signal=signal.SIGBUS), BotCrash),
        (Ending(signal=signal.SIGILL), BotCrash),
        (Ending(signal=signal.SIGFPE), BotCrash),
        (Ending(signal=signal.SIGABRT), BotCrash),
        (Ending(signal=64), BotCrash),
        (Ending(signal=99), BotCrash),
        (Ending(signal=signal.SIGSYS), BotSecurity),
        (Ending(signal=signal.SIGXCPU), BotTimeout),
        (Ending(signal=signal.SIGKILL, cpu_seconds=CPU_LIMIT + 1), BotTimeout),
    ],
)
def test_the_bot_pays_for_its_own_end(ending: Ending, fault: type[BotFault]) -> None:
    found = fault_of(ending, CPU_LIMIT)
    assert type(found) is fault
    assert isinstance(found, BotFault)
    assert found.process_ended


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_nobody_pays_for_a_signal_from_outside(number: signal.Signals) -> None:
    found = fault_of(Ending(signal=number, cpu_seconds=1.0), CPU_LIMIT)
    assert type(found) is SandboxLost
    assert isinstance(found, ArenaFault)
    assert number.name in str(found)
