# expect: protocol; one answer without end
from probe import say


def choose_move(position):
    while True:
        say(b"m" * 65536)
