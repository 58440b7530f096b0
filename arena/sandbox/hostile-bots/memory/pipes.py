# expect: plays; the pipes to the host cannot be made larger, and no new ones be had
import fcntl
import os

from probe import each, player


def enlarged():
    return each(lambda descriptor: fcntl.fcntl(descriptor, 1031, 1 << 20), range(16))


choose_move = player(enlarged, os.pipe)
