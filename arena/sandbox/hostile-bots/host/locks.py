# expect: plays; the files all bots share carry no message: no lock, no lease, no notice
import fcntl
import os

from probe import player

SHARED = os.open("/arena/child.py", os.O_RDONLY)


def whole():
    return fcntl.flock(SHARED, fcntl.LOCK_SH | fcntl.LOCK_NB) is None


def part():
    return fcntl.lockf(SHARED, fcntl.LOCK_SH | fcntl.LOCK_NB) is None


def lease():
    return fcntl.fcntl(SHARED, fcntl.F_SETLEASE, fcntl.F_RDLCK) == 0


def notice():
    return fcntl.fcntl(SHARED, fcntl.F_NOTIFY, fcntl.DN_ACCESS) == 0


choose_move = player(whole, part, lease, notice)
