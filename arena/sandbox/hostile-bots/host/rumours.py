# expect: plays; what all bots share carries no message through the kernel's tables of it either
import ctypes
import mmap
import os

from probe import each, player, syscall

PAGE = 4096
FILE = os.open("/arena/child.py", os.O_RDONLY)
SHARED = mmap.mmap(FILE, PAGE, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ)
LIBRARY = ctypes.CDLL(None)
LIBRARY.mmap.restype = ctypes.c_void_p
ADDRESS = LIBRARY.mmap(None, ctypes.c_size_t(PAGE), 1, 1, FILE, ctypes.c_long(0))
WAKE, WAKE_BITSET, WAIT = 1, 10, 0
MERGEABLE, COLD, PAGEOUT = 12, 20, 21


def waiters():
    return each(lambda operation: syscall("futex", ctypes.c_void_p(ADDRESS), operation, 1, 0, 0, 1),
                (WAKE, WAKE_BITSET))


def waits():
    nobody = (ctypes.c_long * 2)(0, 1000)
    return syscall("futex", ctypes.c_void_p(ADDRESS), WAIT, ctypes.c_uint32.from_buffer_copy(SHARED[:4]).value, nobody)


def advised():
    return each(lambda advice: syscall("madvise", ctypes.c_void_p(ADDRESS), PAGE, advice), (MERGEABLE, COLD, PAGEOUT))


def resident():
    return syscall("mincore", ctypes.c_void_p(ADDRESS), PAGE, ctypes.create_string_buffer(1))


def forgotten():
    return os.posix_fadvise(FILE, 0, 0, os.POSIX_FADV_DONTNEED) is None


def fetched():
    return syscall("readahead", FILE, 0, PAGE)


def counted():
    return syscall("cachestat", FILE, (ctypes.c_uint64 * 2)(), (ctypes.c_uint64 * 5)(), 0)


choose_move = player(waiters, waits, advised, resident, forgotten, fetched, counted)
