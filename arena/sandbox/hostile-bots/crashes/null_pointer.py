# expect: crash; reads what is not there
import ctypes


def choose_move(position):
    return ctypes.string_at(0)
