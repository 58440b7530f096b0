# expect: plays; leaves when it is told of the end: the game is decided, the next one gets a fresh process
import os


class Bot:
    def choose_move(self, position):
        return position.legal_moves()[0]

    def game_over(self, outcome):
        os._exit(3)
