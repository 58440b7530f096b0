# expect: plays; one thread is all there is
import _thread
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from probe import player


def thread():
    threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
    return "a thread"


def raw():
    return _thread.start_new_thread(time.sleep, (100,))


def pool():
    return ThreadPoolExecutor(2).submit(int, "1").result()


def timer():
    threading.Timer(0.001, print).start()
    return "a timer"


choose_move = player(*[thread] * 50, raw, pool, timer)
