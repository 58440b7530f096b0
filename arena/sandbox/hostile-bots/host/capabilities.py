# expect: plays; no right that the kernel knows a name for
import ctypes

from probe import player, syscall


def rights():
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (ctypes.c_uint32 * 6)()
    syscall("capget", header, sets)
    return any(sets)


def device():
    return syscall("mknod", b"/arena/disk", 0o060666, 0x0800)


def dumpable():
    return syscall("prctl", 4, 1, 0, 0, 0)


choose_move = player(rights, device, dumpable)
