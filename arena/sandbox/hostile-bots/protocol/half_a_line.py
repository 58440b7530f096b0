# expect: timeout; begins an answer, and does not end it
import time

from probe import say


def choose_move(position):
    say('{"s":')
    time.sleep(3600)
