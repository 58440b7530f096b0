# expect: protocol; bytes that are no text
from probe import say


def choose_move(position):
    say(bytes(byte for byte in range(256) if byte != 10) + b"\n")
    return position.legal_moves()[0]
