# expect: exception; an ordinary mistake
def choose_move(position):
    return position.pits[999]
