# expect: plays; memory asked of the kernel itself is limited too
import ctypes
import mmap

from probe import player


def by_module():
    return mmap.mmap(-1, 4 << 30)


def by_library():
    library = ctypes.CDLL(None)
    library.mmap.restype = ctypes.c_void_p
    place = library.mmap(None, ctypes.c_size_t(8 << 30), 3, 0x22, -1, ctypes.c_long(0))
    return place not in (None, 2**64 - 1)


choose_move = player(by_module, by_library)
