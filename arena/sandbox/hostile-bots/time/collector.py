# expect: timeout; hangs whenever the interpreter tidies up
import gc
import time


def choose_move(position):
    gc.callbacks.append(lambda *_: time.sleep(3600))
    return [[] for _ in range(10_000)]
