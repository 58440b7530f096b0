# expect: illegal_move; more moves than the turn has
def choose_move(position):
    return [position.legal_moves()[0]] * 2
