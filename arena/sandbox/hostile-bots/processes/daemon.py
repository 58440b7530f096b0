# expect: plays; nothing survives the match in a session of its own
import os

from probe import player


def orphan():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                pass
    return "an orphan"


def session():
    os.setsid()
    return "a session"


def group():
    os.setpgid(0, 0)
    return "a process group"


choose_move = player(orphan, session, group)
