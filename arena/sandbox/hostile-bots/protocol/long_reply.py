# expect: protocol; a true answer, and more in it than an answer may have
def choose_move(position):
    return [position.legal_moves()[0]] * 3000
