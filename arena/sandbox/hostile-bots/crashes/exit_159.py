# expect: crash, security; leaves with the code of a forbidden system call
import os


def choose_move(position):
    os._exit(159)
