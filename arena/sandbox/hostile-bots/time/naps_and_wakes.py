# expect: timeout; wakes the host with a byte, and sleeps while that stands in line
import os
import time


def choose_move(position):
    while True:
        os.write(1, b".")
        time.sleep(0.0005)
