# expect: plays; no process is ever made, by whatever call
import os

from probe import each, player, syscall


def forked():
    child = os.fork()
    while child == 0:
        pass
    return child


def raw():
    return each(syscall, ("fork", "vfork"))


choose_move = player(*[forked] * 200, raw)
