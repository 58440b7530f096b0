# expect: crash, security; leaves with the code of a process that the host killed
import os


def choose_move(position):
    os._exit(137)
