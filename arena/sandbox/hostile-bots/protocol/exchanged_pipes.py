# expect: crash, exception, protocol; puts each pipe in the place of the other
import os

from probe import runner


def choose_move(position):
    requests, replies = (runner().f_globals[name] for name in ("RFD", "WFD"))
    kept = os.dup(requests)
    os.close(requests)
    os.dup(replies)
    os.close(replies)
    os.dup(kept)
    return position.legal_moves()[0]
