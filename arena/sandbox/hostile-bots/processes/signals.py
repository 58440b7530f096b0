# expect: plays; nobody can be killed or watched: not the host, not the first process, not everybody
import os
import signal

from probe import each, player


def killed():
    return each(lambda pid: os.kill(pid, signal.SIGKILL) is None, (-1, 0, 2, 3, os.getppid() or 4))


def held():
    return os.pidfd_open(os.getpid()) + 1


choose_move = player(killed, held)
