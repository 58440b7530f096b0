# expect: protocol; nothing at all is an answer of no kind
from probe import say


def choose_move(position):
    say("\n")
    return position.legal_moves()[0]
