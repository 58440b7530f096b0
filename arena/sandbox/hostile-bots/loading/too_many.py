# expect: load; wants more than there is
def choose_move(position, clock, game, opponent):
    return 0
