# expect: plays; each answer a byte at a time, as fast as it can
import os

from probe import runner

write = os.write


def choose_move(position):
    runner().f_globals["_write"] = lambda pipe, line: write(pipe, line[:1])
    return position.legal_moves()[0]
