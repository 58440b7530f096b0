# expect: timeout; sleeps for moments, so that it stands in line at each awakening
import time


def choose_move(position):
    while True:
        time.sleep(1e-6)
