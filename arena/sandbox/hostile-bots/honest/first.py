# expect: plays; the baseline, which must finish every game
def choose_move(position):
    return position.legal_moves()[0]
