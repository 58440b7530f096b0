# expect: crash, exception, timeout; makes all small numbers of its interpreter the same
import ctypes


def choose_move(position):
    for number in range(250):
        ctypes.memset(id(number) + 24, 7, 4)
    return 1
