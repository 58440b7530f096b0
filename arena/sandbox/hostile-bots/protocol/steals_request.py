# expect: timeout, protocol; waits for the next request instead of answering this one
import os

from probe import runner


def choose_move(position):
    return os.read(runner().f_globals["RFD"], 65536)
