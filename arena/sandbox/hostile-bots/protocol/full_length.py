# expect: plays; each answer filled up to the last byte that it may have
import os

from probe import runner

write = os.write


def filled(pipe, line):
    write(pipe, line.removesuffix(b"}\n").ljust(4094) + b"}\n")
    return len(line)


def choose_move(position):
    runner().f_globals["_write"] = filled
    return position.legal_moves()[0]
