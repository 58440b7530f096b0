# expect: plays; no place nearer to the processor than anybody else's
import os

from probe import player


def nicer():
    return os.nice(-10) < 0


def lazier():
    return os.nice(5)


def first():
    return os.setpriority(os.PRIO_PROCESS, 0, -20) is None


def real_time():
    return os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)) is None


def elsewhere():
    return os.sched_setaffinity(0, range(os.cpu_count() or 2)) is None


choose_move = player(nicer, lazier, first, real_time, elsewhere)
