# expect: plays; a class with every hook, which keeps state over the games of a match
class Bot:
    def __init__(self, match):
        assert match.ruleset == "oware" and match.seat in (0, 1)
        self.games = 0
        self.side = None

    def new_game(self, side):
        self.side = side

    def choose_move(self, position, clock, game):
        assert position.to_move == self.side and game.position == position
        assert clock.turn_ms > 0
        return game.legal_moves()[-1]

    def game_over(self, outcome):
        assert outcome.ending
        self.games += 1
        print("games played:", self.games)
