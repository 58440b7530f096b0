# expect: crash, security; the same code, hidden in a larger number
import os


def choose_move(position):
    os._exit(256 + 137)
