# expect: protocol; what it prints goes where the answers go
import os

from probe import runner


def choose_move(position):
    os.close(1)
    assert os.dup(runner().f_globals["WFD"]) == 1
    print("hello", flush=True)
    return position.legal_moves()[0]
