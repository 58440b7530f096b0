# expect: crash, exception; writes over the interpreter's own objects
import ctypes


def choose_move(position):
    ctypes.memset(id(None), 0xA5, 16)
    ctypes.memset(id(int), 0xA5, 256)
    return None
