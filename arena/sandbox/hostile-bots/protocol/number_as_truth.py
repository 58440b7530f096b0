# expect: protocol; true equals 1, and is no number
from probe import say


class Bot:
    def __init__(self):
        say('{"s":true,"loaded":true}\n')

    def choose_move(self, position):
        return position.legal_moves()[0]
