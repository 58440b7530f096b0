# expect: plays, exception; makes its output and its answers one channel
import os

from probe import player, runner


def joined():
    return os.dup2(runner().f_globals["WFD"], 1)


choose_move = player(joined)
