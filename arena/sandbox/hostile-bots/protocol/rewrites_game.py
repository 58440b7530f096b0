# expect: illegal_move, exception; changes the game it was given, not the referee's
from probe import runner


def choose_move(position, clock, game):
    inside = runner().f_locals["game"]
    for one in (game, inside):
        one.push(one.legal_moves()[0])
    return inside.legal_moves()[0] + 6
