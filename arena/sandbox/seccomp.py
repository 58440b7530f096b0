"""Which system calls a bot may make: an allow-list, as a filter for the kernel.

What is not listed is refused with EPERM, so that ordinary code sees an ordinary error.  Calls that no honest bot
makes, those that change the machine, look into other processes or widen the kernel's surface, kill the process.
"""

import errno
import platform
from dataclasses import dataclass
from functools import cache

from arena.errors import SandboxUnavailable
from arena.sandbox import bpf
from arena.sandbox.syscalls import NUMBERS


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ALLOWED = _names("""
    read write readv writev pread64 close fstat stat lstat newfstatat statx lseek access faccessat faccessat2
    readlink readlinkat getcwd chdir fchdir getdents64 dup mmap mprotect munmap mremap brk
    rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack poll ppoll select pselect6
    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times
    getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp
    getrandom getrusage getrlimit uname sched_getaffinity
    set_robust_list set_tid_address rseq restart_syscall execve arch_prctl
""")             # execve, arch_prctl, set_*: the filter is in place before the interpreter starts
                 # not sched_yield: a wait in line is not charged, so nobody may get back into line of his own will

ABSENT = ("clone3", "openat2")      # arguments out of a filter's sight; ENOSYS makes the C library use the older call

HOSTILE = _names("""
    ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd keyctl add_key request_key
    bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register
    unshare setns mount umount2 pivot_root chroot open_by_handle_at mount_setattr
    fsopen fsconfig fsmount fspick move_mount open_tree
    init_module finit_module delete_module create_module query_module get_kernel_syms kexec_load kexec_file_load
    settimeofday clock_settime adjtimex clock_adjtime reboot swapon swapoff acct syslog quotactl quotactl_fd
    iopl ioperm modify_ldt nfsservctl lookup_dcookie _sysctl uselib
""")

# open(2): any of O_WRONLY O_RDWR O_CREAT O_TRUNC O_APPEND and the kernel's own bit of O_TMPFILE
_WRITING = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000 | 0o20000000
_FCNTL_COMMANDS = (0, 1, 2, 3, 1030)            # F_DUPFD F_GETFD F_SETFD F_GETFL F_DUPFD_CLOEXEC
_IOCTL_REQUESTS = (0x5401, 0x5450, 0x5451)      # TCGETS FIONCLEX FIOCLEX
# Only private ones: two sandboxes could wait for and wake each other at a page of the image that both have mapped.
_FUTEX_PLAIN = 0xFF                             # the operation without FUTEX_CLOCK_REALTIME
_FUTEX_OPERATIONS = (0x80, 0x81, 0x89, 0x8A)    # WAIT WAKE WAIT_BITSET WAKE_BITSET, each with FUTEX_PRIVATE
# NORMAL RANDOM SEQUENTIAL WILLNEED DONTNEED FREE HUGEPAGE NOHUGEPAGE DONTDUMP DODUMP: what moves no page that is shared
_MADVISE_ADVICE = (0, 1, 2, 3, 4, 8, 14, 15, 16, 17)
_CPU_LIMIT = 0                                  # RLIMIT_CPU: where it ends, the kernel sends SIGKILL
_SIGNAL_LIKE = 0x80                             # an exit code of 128 and more looks like death by a signal

_REFUSED = bpf.errno_verdict(errno.EPERM)
_X32 = 0x4000_0000                              # this bit in a number selects x86_64's third kernel interface


@dataclass(frozen=True, slots=True)
class Machine:
    """A processor architecture; `column` is its place in `NUMBERS`."""

    name: str
    audit_architecture: int                     # <linux/audit.h>
    column: int


MACHINES = {
    "x86_64": Machine("x86_64", 0xC000_003E, 0),
    "aarch64": Machine("aarch64", 0xC000_00B7, 1),
}


@cache
def compiled(machine_name: str | None = None) -> bytes:
    """The filter for this machine, or for the one named.  Raises: SandboxUnavailable where there is none."""
    name = machine_name or platform.machine()
    if name not in MACHINES:
        raise SandboxUnavailable(
            f"the system call filter knows {' and '.join(MACHINES)}, not {name}; "
            "run the worker on such a machine, or add its numbers to arena/sandbox/syscalls.py"
        )
    return bpf.assembled(program(MACHINES[name]))


def program(machine: Machine) -> bpf.Program:
    kill = bpf.verdict(bpf.KILL)
    return (
        *bpf.load_architecture(),
        *bpf.unless_equal(machine.audit_architecture, kill),
        *bpf.load_number(),
        *(bpf.if_at_least(_X32, kill) if machine.name == "x86_64" else ()),
        *_constant(machine, ALLOWED, bpf.ALLOW),
        *_checked(machine),
        *_constant(machine, ABSENT, bpf.errno_verdict(errno.ENOSYS)),
        *_constant(machine, HOSTILE, bpf.KILL),
        *bpf.verdict(_REFUSED),
    )


def _constant(machine: Machine, names: tuple[str, ...], value: int) -> bpf.Program:
    numbers = (NUMBERS[name][machine.column] for name in names)
    return tuple(
        instruction
        for number in numbers
        if number is not None
        for instruction in bpf.if_equal(number, bpf.verdict(value))
    )


def _checked(machine: Machine) -> bpf.Program:
    """The calls whose verdict depends on an argument."""
    rules = {
        "open": _read_only(argument=1),
        "openat": _read_only(argument=2),
        "fcntl": _one_of(_FCNTL_COMMANDS, argument=1),
        "ioctl": _one_of(_IOCTL_REQUESTS, argument=1),
        "futex": _one_of(_FUTEX_OPERATIONS, argument=1, bits=_FUTEX_PLAIN),
        "madvise": _one_of(_MADVISE_ADVICE, argument=2),
        "setrlimit": (*bpf.load_argument(0), *bpf.if_equal(_CPU_LIMIT, bpf.verdict(_REFUSED)), *bpf.verdict(bpf.ALLOW)),
        "prlimit64": _cpu_limit_untouched(),
        "exit": _honest_exit(),
        "exit_group": _honest_exit(),
    }
    numbers = ((NUMBERS[name][machine.column], rule) for name, rule in rules.items())
    return tuple(
        instruction
        for number, rule in numbers
        if number is not None
        for instruction in bpf.if_equal(number, rule)
    )


def _read_only(argument: int) -> bpf.Program:
    return (
        *bpf.load_argument(argument),
        *bpf.if_any_bit(_WRITING, bpf.verdict(bpf.errno_verdict(errno.EROFS))),
        *bpf.verdict(bpf.ALLOW),
    )


def _one_of(values: tuple[int, ...], argument: int, bits: int | None = None) -> bpf.Program:
    choices = (instruction for value in values for instruction in bpf.if_equal(value, bpf.verdict(bpf.ALLOW)))
    return (
        *bpf.load_argument(argument),
        *(bpf.mask(bits) if bits is not None else ()),
        *choices,
        *bpf.verdict(_REFUSED),
    )


def _cpu_limit_untouched() -> bpf.Program:
    """A bot that lowers this limit dies of SIGKILL when it likes, as if by our fault, and its lost match is void."""
    return (
        *bpf.load_argument(1),
        *bpf.unless_equal(_CPU_LIMIT, bpf.verdict(bpf.ALLOW)),
        *bpf.load_argument(2),                  # the new limit; none, when it is only asked for
        *bpf.unless_equal(0, bpf.verdict(_REFUSED)),
        *bpf.load_argument_above(2),
        *bpf.unless_equal(0, bpf.verdict(_REFUSED)),
        *bpf.verdict(bpf.ALLOW),
    )


def _honest_exit() -> bpf.Program:
    """Bubblewrap reports signal n as exit code 128 + n; so no bot may leave with a code that says "killed by you"."""
    return (
        *bpf.load_argument(0),
        *bpf.if_any_bit(_SIGNAL_LIKE, bpf.verdict(bpf.KILL)),
        *bpf.verdict(bpf.ALLOW),
    )
