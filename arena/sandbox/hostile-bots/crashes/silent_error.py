# expect: exception; has closed its log before it fails
import os


def choose_move(position):
    os.closerange(0, 3)
    raise ValueError
