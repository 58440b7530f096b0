# expect: crash, timeout; runs bytes that are no program
import ctypes
import mmap


def choose_move(position):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\x00\x00\x00\x00\x0f\x0b" * 100)
    start = ctypes.addressof(ctypes.c_char.from_buffer(page))
    ctypes.CFUNCTYPE(ctypes.c_int)(start + 4)()
