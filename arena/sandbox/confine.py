"""What only a process itself can do: end with its parent; and, for tier B, give up its rights and filter its calls."""

import ctypes
import os
import sys

_SET_PARENT_DEATH_SIGNAL, _SET_SECCOMP, _SET_NO_NEW_PRIVILEGES = 1, 22, 38      # <linux/prctl.h>
_BY_PROGRAM = 2
_SIGKILL = 9
_INSTRUCTION_BYTES = 8


class _Program(ctypes.Structure):
    """`struct sock_fprog`"""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def confine(descriptor: int) -> None:
    """Read the filter from the descriptor and put it in force.  Raises: OSError; then no bot may be loaded."""
    instructions = b""
    while piece := os.read(descriptor, 65536):
        instructions += piece
    os.close(descriptor)
    program = _Program(len(instructions) // _INSTRUCTION_BYTES, instructions)
    _prctl(_SET_PARENT_DEATH_SIGNAL, _SIGKILL)
    _prctl(_SET_NO_NEW_PRIVILEGES, 1)
    _prctl(_SET_SECCOMP, _BY_PROGRAM, ctypes.byref(program))


def die_with(parent: int, death_signal: int = _SIGKILL) -> None:
    """Get this signal when the parent's thread that started us ends, however it ends.  Raises: OSError, SystemExit."""
    _prctl(_SET_PARENT_DEATH_SIGNAL, death_signal)
    if os.getppid() != parent:          # it ended before the tie was made
        sys.exit("the host has gone")


def _prctl(option: int, *arguments: object) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    words = [ctypes.c_ulong(argument) if isinstance(argument, int) else argument for argument in arguments]
    zeros = [ctypes.c_ulong(0)] * (4 - len(words))
    if library.prctl(ctypes.c_int(option), *words, *zeros) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option} was refused")
