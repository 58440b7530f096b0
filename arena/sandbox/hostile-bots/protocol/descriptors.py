# expect: plays; a handful of open files, no more
import os

from probe import player


def many():
    opened = []
    try:
        while len(opened) < 1000:
            opened.append(os.open("/", os.O_RDONLY))
    except OSError:
        pass
    for descriptor in opened:
        os.close(descriptor)
    return opened if len(opened) > 32 else None


choose_move = player(many)
