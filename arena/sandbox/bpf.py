"""A small assembler for classic BPF programs that judge system calls: `struct seccomp_data` in, a verdict out."""

import struct
from dataclasses import dataclass

# Verdicts of a filter <linux/seccomp.h>.
ALLOW = 0x7FFF_0000
KILL = 0x8000_0000              # the whole process, by SIGSYS
_ERRNO = 0x0005_0000

# Where `struct seccomp_data` holds what a filter may look at; both machines are little-endian.
_NUMBER, _ARCHITECTURE = 0, 4
_FIRST_ARGUMENT, _ARGUMENT_BYTES = 16, 8

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06                                       # ld [k], and #k, ret #k
_JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_IF_ANY = 0x15, 0x35, 0x45                  # jeq #k, jge #k, jset #k


def errno_verdict(number: int) -> int:
    """Refuse the call with this error number."""
    return _ERRNO | number


@dataclass(frozen=True, slots=True)
class Instruction:
    """One `struct sock_filter`."""

    code: int
    value: int
    if_true: int = 0
    if_false: int = 0

    def packed(self) -> bytes:
        return struct.pack("<HBBI", self.code, self.if_true, self.if_false, self.value)


Program = tuple[Instruction, ...]


def load_number() -> Program:
    return (Instruction(_LOAD, _NUMBER),)


def load_architecture() -> Program:
    return (Instruction(_LOAD, _ARCHITECTURE),)


def load_argument(index: int) -> Program:
    """The low 32 bits: of most arguments that are checked here, the kernel itself looks at no more."""
    return (Instruction(_LOAD, _FIRST_ARGUMENT + _ARGUMENT_BYTES * index),)


def load_argument_above(index: int) -> Program:
    """The high 32 bits, of an argument that is an address."""
    return (Instruction(_LOAD, _FIRST_ARGUMENT + _ARGUMENT_BYTES * index + _ARGUMENT_BYTES // 2),)


def mask(bits: int) -> Program:
    return (Instruction(_AND, bits),)


def verdict(value: int) -> Program:
    return (Instruction(_RETURN, value),)


def if_equal(value: int, then: Program) -> Program:
    """Run `then`, which ends in a verdict, when the loaded value is this one; else go on behind it."""
    return (Instruction(_JUMP_EQUAL, value, 0, len(then)), *then)


def unless_equal(value: int, then: Program) -> Program:
    return (Instruction(_JUMP_EQUAL, value, len(then), 0), *then)


def if_at_least(value: int, then: Program) -> Program:
    return (Instruction(_JUMP_AT_LEAST, value, 0, len(then)), *then)


def if_any_bit(bits: int, then: Program) -> Program:
    return (Instruction(_JUMP_IF_ANY, bits, 0, len(then)), *then)


def assembled(program: Program) -> bytes:
    """The bytes the kernel takes.  Raises: ValueError for a program it would refuse."""
    if not 0 < len(program) <= 4096:
        raise ValueError(f"a filter has 1 to 4096 instructions, not {len(program)}")
    return b"".join(instruction.packed() for instruction in program)
