# expect: plays; cannot let others go first: a wait in line is not charged, and a long one is the machine's fault
import os

from probe import player, syscall


def politely():
    return os.sched_yield() is None


def by_number():
    return syscall("sched_yield")


choose_move = player(politely, by_number)
