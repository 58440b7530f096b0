# expect: plays; no timer can wake the bot in the opponent's time
import signal

from probe import player, syscall


def interval():
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    return "an interval timer"


def by_clock():
    return syscall("timer_create", 1, 0, 0)


def descriptor():
    return syscall("timerfd_create", 1, 0)


def asynchronous():
    import fcntl

    return fcntl.fcntl(3, fcntl.F_SETFL, fcntl.O_ASYNC) == 0


choose_move = player(interval, by_clock, descriptor, asynchronous)
