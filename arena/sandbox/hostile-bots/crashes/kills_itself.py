# expect: exception, crash; wants to look like killed by the host
import os


def choose_move(position):
    os.kill(os.getpid(), 9)
