# expect: security, plays; the numbers of a third interface, which only one kind of machine has
import ctypes
import os

from probe import player


def enter():
    if os.uname().machine != "x86_64":
        return False
    ctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 + 39))
    return "a call past the filter"


choose_move = player(enter)
