# expect: timeout; never answers, at rest: sleeping is thinking too
import time


def choose_move(position):
    time.sleep(3600)
