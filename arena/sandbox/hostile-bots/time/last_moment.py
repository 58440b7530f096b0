# expect: timeout; answers in the moment of grace, which is the machine's
import time


def choose_move(position, clock):
    time.sleep((clock.turn_ms + clock.bank_ms + 10) / 1000)
    return position.legal_moves()[0]
