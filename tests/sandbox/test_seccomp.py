"""The filter, run through an interpreter of its own instruction set: which call gets which verdict."""

import errno
import re
import struct
from pathlib import Path

import pytest

from arena.errors import SandboxUnavailable
from arena.sandbox import bpf, seccomp
from arena.sandbox.syscalls import NUMBERS

REFUSED = bpf.errno_verdict(errno.EPERM)
READ_ONLY = bpf.errno_verdict(errno.EROFS)
ABSENT = bpf.errno_verdict(errno.ENOSYS)
I386 = 0x4000_0003
MACHINES = sorted(seccomp.MACHINES)


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """Runs the program as the kernel would, on a `struct seccomp_data`."""
    audit = seccomp.MACHINES[machine].audit_architecture if architecture is None else architecture
    words = [argument & 0xFFFF_FFFF_FFFF_FFFF for argument in (*arguments, *[0] * (6 - len(arguments)))]
    data = struct.pack("<IIQ6Q", number, audit, 0, *words)
    program = list(struct.iter_unpack("<HBBI", seccomp.compiled(machine)))
    place, loaded = 0, 0
    while True:
        code, if_true, if_false, value = program[place]
        place += 1
        match code:
            case 0x20:
                (loaded,) = struct.unpack_from("<I", data, value)
            case 0x54:
                loaded &= value
            case 0x15:
                place += if_true if loaded == value else if_false
            case 0x35:
                place += if_true if loaded >= value else if_false
            case 0x45:
                place += if_true if loaded & value else if_false
            case 0x06:
                return value
            case _:
                raise AssertionError(f"instruction {code:#x} is unknown")


def number(machine: str, name: str) -> int | None:
    return NUMBERS[name][seccomp.MACHINES[machine].column]


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_listed_has_its_verdict_and_the_rest_is_refused(machine: str) -> None:
    known = {number(machine, name): name for name in NUMBERS}
    for tried in range(600):
        name = known.get(tried, "")
        found = verdict(machine, tried)
        if name in seccomp.ALLOWED:
            assert found == bpf.ALLOW, name
        elif name in seccomp.HOSTILE:
            assert found == bpf.KILL, name
        elif name in seccomp.ABSENT:
            assert found == ABSENT, name
        elif not name:
            assert found == REFUSED, tried


@pytest.mark.parametrize("machine", MACHINES)
def test_another_architecture_is_killed(machine: str) -> None:
    read = number(machine, "read")
    assert read is not None
    assert verdict(machine, read, architecture=I386) == bpf.KILL


def test_the_third_interface_of_x86_64_is_killed() -> None:
    assert verdict("x86_64", 0x4000_0000 | 39) == bpf.KILL
    assert verdict("x86_64", 0xFFFF_FFFF) == bpf.KILL


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (0, bpf.ALLOW), (0o2000000, bpf.ALLOW), (0o200000, bpf.ALLOW), (0o1, READ_ONLY), (0o2, READ_ONLY),
        (0o3, READ_ONLY), (0o100, READ_ONLY), (0o1000, READ_ONLY), (0o2000, READ_ONLY), (0o20200000, READ_ONLY),
    ],
)
def test_files_open_for_reading_only(machine: str, flags: int, expected: int) -> None:
    openat = number(machine, "openat")
    assert openat is not None
    assert verdict(machine, openat, 0, 0, flags) == expected
    assert verdict(machine, openat, 0, 0, flags | 1 << 40) == expected
    if (old := number(machine, "open")) is not None:
        assert verdict(machine, old, 0, flags) == expected


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "argument", "allowed", "refused"),
    [
        ("ioctl", 1, [0x5401, 0x5450, 0x5451, 0x5401 | 1 << 32], [0x5412, 0x541C, 0x5421, 0x5412 | 1 << 32]),
        ("fcntl", 1, [0, 1, 2, 3, 1030], [4, 5, 6, 7, 8, 1024, 1026, 1031, 1033]),
        ("futex", 1, [128, 129, 137 | 256, 138], [0, 1, 9, 10, 1 | 256, 134, 135, 136, 139, 140, 141, 131]),
        ("madvise", 2, [0, 1, 2, 3, 4, 8, 14, 15], [9, 12, 13, 20, 21, 100, 101]),
    ],
)
def test_calls_with_many_faces_show_the_harmless_ones(
    machine: str, name: str, argument: int, allowed: list[int], refused: list[int]
) -> None:
    call = number(machine, name)
    assert call is not None
    for value in allowed:
        assert verdict(machine, call, *[0] * argument, value) == bpf.ALLOW, value
    for value in refused:
        assert verdict(machine, call, *[0] * argument, value) == REFUSED, value


@pytest.mark.parametrize("machine", MACHINES)
def test_the_limit_of_processor_time_can_be_read_and_not_set(machine: str) -> None:
    old, new = number(machine, "setrlimit"), number(machine, "prlimit64")
    assert old is not None
    assert new is not None
    cpu, stack, address, low_bits_zero = 0, 3, 0x7FFF_0000_1000, 1 << 32
    assert verdict(machine, old, cpu, address) == REFUSED
    assert verdict(machine, old, cpu | 1 << 32, address) == REFUSED
    assert verdict(machine, old, stack, address) == bpf.ALLOW
    assert verdict(machine, new, 0, cpu, 0, address) == bpf.ALLOW
    assert verdict(machine, new, 0, cpu, address) == REFUSED
    assert verdict(machine, new, 0, cpu, low_bits_zero) == REFUSED
    assert verdict(machine, new, 0, cpu | 1 << 32, address) == REFUSED
    assert verdict(machine, new, 0, stack, address) == bpf.ALLOW


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["exit", "exit_group"])
def test_no_exit_code_looks_like_a_signal(machine: str, name: str) -> None:
    call = number(machine, name)
    assert call is not None
    for code in (0, 1, 97, 127, 256, 256 + 97):
        assert verdict(machine, call, code) == bpf.ALLOW, code
    for code in (128, 137, 159, 255, 256 + 137, -1, 0x7FFF_FF89):
        assert verdict(machine, call, code) == bpf.KILL, code


def test_numbers_are_those_of_the_kernel_headers() -> None:
    headers = {0: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h", 1: "/usr/include/aarch64-linux-gnu/asm/unistd_64.h"}
    checked = 0
    for column, path in headers.items():
        if Path(path).exists():
            defined = dict(re.findall(r"#define __NR_(\w+)\s+(\d+)", Path(path).read_text()))
            for name, numbers in NUMBERS.items():
                assert str(numbers[column]) == str(defined.get(name)), name
                checked += 1
    if not checked:
        pytest.skip("no kernel headers are installed here (linux-libc-dev)")


def test_an_unknown_machine_is_refused_with_advice() -> None:
    with pytest.raises(SandboxUnavailable, match="knows x86_64 and aarch64, not riscv64"):
        seccomp.compiled("riscv64")


@pytest.mark.parametrize("length", [0, 4097])
def test_the_assembler_refuses_what_the_kernel_would(length: int) -> None:
    with pytest.raises(ValueError, match="1 to 4096"):
        bpf.assembled(bpf.verdict(bpf.ALLOW) * length)
