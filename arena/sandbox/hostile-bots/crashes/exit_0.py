# expect: crash; leaves as if all were well
import os


def choose_move(position):
    os._exit(0)
