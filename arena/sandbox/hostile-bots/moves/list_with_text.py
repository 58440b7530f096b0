# expect: illegal_move; a list with something else in it
def choose_move(position):
    return [position.legal_moves()[0], "1"]
