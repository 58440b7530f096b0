# expect: memory; has closed its log before it runs out of memory
import os


def choose_move(position):
    os.closerange(0, 3)
    return bytearray(64 << 30)
