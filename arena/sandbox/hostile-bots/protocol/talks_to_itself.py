# expect: plays; the ends of its pipes go one way: it cannot put requests, nor read its own answers
import os

from probe import player, runner


def request():
    return os.write(runner().f_globals["RFD"], b'{"s":1,"over":"rules","moves":[]}\n')


def answer():
    return os.read(runner().f_globals["WFD"], 1)


def reopened():
    return os.open(f"/proc/self/fd/{runner().f_globals['RFD']}", os.O_WRONLY)


choose_move = player(request, answer, reopened)
