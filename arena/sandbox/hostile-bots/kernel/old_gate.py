# expect: security, crash, plays; the door of 32-bit programs, through machine code; only one kind of machine has it
import ctypes
import mmap
import os

from probe import player

GETPID = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"       # mov eax, 20; int 0x80; ret


def enter():
    if os.uname().machine != "x86_64":
        return False
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(GETPID)
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    return "a call past the filter"


choose_move = player(enter)
