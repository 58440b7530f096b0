# expect: crash; closes its answers and goes on living
import os
import time

from probe import runner


def choose_move(position):
    os.close(runner().f_globals["WFD"])
    time.sleep(3600)
