# expect: crash; leaves with a code of its own choice
import os


def choose_move(position):
    os._exit(97)
