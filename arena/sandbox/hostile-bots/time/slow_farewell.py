# expect: plays; hangs when it is told of the end: the game is decided, the next one gets a fresh process
import time


class Bot:
    def choose_move(self, position):
        return position.legal_moves()[0]

    def game_over(self, outcome):
        time.sleep(3600)
