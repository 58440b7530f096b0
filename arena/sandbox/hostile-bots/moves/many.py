# expect: protocol; a million moves at once
def choose_move(position):
    return [position.legal_moves()[0]] * 1_000_000
