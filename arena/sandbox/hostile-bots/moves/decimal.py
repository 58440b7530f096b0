# expect: illegal_move; a move with a fraction
def choose_move(position):
    return float(position.legal_moves()[0])
