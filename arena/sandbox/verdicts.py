"""Whose fault it is: what the host saw of a bot's end, or read in its reply, as one of the errors."""

import signal

from arena.errors import (
    ArenaFault,
    BotCrash,
    BotException,
    BotFault,
    BotLoad,
    BotMemory,
    BotProtocol,
    BotSecurity,
    BotTimeout,
    SandboxLost,
)
from arena.sandbox.child_process import Ending

_REPORTED: dict[str, type[BotFault]] = {"load": BotLoad, "exception": BotException, "memory": BotMemory}
_LONGEST_TEXT = 300
_NO_MEMORY_CODE = 96            # the child's NO_MEMORY


def fault_of(ending: Ending, cpu_limit_seconds: int) -> BotFault | ArenaFault:
    """The error for a child that ended without being asked to."""
    if ending.signal is not None:
        return _fault_of_signal(ending.signal, ending.cpu_seconds >= cpu_limit_seconds)
    if ending.code is None:
        return BotCrash("the bot closed its connection to the host", process_ended=True)
    if ending.code == _NO_MEMORY_CODE:
        return BotMemory("the bot left no memory to go on with", process_ended=True)
    return BotCrash(f"the bot's process ended with exit code {ending.code}", process_ended=True)


def _fault_of_signal(number: int, used_all_cpu: bool) -> BotFault | ArenaFault:
    if number == signal.SIGSYS:
        return BotSecurity("the bot made a system call that is not allowed, and was ended for it", process_ended=True)
    if number == signal.SIGXCPU or (number == signal.SIGKILL and used_all_cpu):
        return BotTimeout("the bot used all the processor time a process may have", process_ended=True)
    if number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        return SandboxLost(                     # no bot can send these to itself: it is the first process of its world
            f"{signal.Signals(number).name} from outside ended a sandbox; if the machine runs out of memory, run "
            "fewer workers on it"
        )
    return BotCrash(f"the bot's process was ended by {_signal_name(number)}", process_ended=True)


def fault_reported(kind: object, text: object) -> BotFault:
    """The error a child reports of its bot; whatever it says, the bot pays."""
    if not isinstance(kind, str) or kind not in _REPORTED or not isinstance(text, str):
        return BotProtocol("the bot sent a report that is none", process_ended=True)
    return _REPORTED[kind](_harmless(text))


def _harmless(text: str) -> str:
    """One line that any terminal, page and database can hold."""
    line = "".join(sign if sign.isprintable() else " " for sign in text[:_LONGEST_TEXT])
    return line.encode("utf-8", "replace").decode()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
