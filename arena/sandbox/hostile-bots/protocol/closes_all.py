# expect: crash, exception, protocol; closes whatever is open
import os


def choose_move(position):
    os.closerange(0, 256)
    return position.legal_moves()[0]
