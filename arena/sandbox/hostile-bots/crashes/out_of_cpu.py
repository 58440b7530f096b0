# expect: plays; cannot let the kernel kill it, at a limit of its own, as if somebody from outside had done it
import ctypes
import resource

from probe import player, syscall

LIMIT = (ctypes.c_ulong * 2)(1, 1)


def lowered():
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    return "a limit of one second"


def by_old_call():
    return syscall("setrlimit", resource.RLIMIT_CPU, LIMIT)


def of_high_bits():
    return syscall("prlimit64", 0, 1 << 32 | resource.RLIMIT_CPU, LIMIT, 0)


choose_move = player(lowered, by_old_call, of_high_bits)
