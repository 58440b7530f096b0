# expect: protocol; no move at all
def choose_move(position):
    return []
