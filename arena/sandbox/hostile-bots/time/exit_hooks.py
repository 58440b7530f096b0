# expect: plays; what hangs when a process leaves does not hold up the referee
import atexit
import sys
import time

atexit.register(time.sleep, 3600)
sys.excepthook = lambda *_: time.sleep(3600)


class Slow:
    def __del__(self):
        time.sleep(3600)


KEPT = Slow()


def choose_move(position):
    return position.legal_moves()[0]
