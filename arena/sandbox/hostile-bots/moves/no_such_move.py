# expect: illegal_move; a number that is never a move
def choose_move(position):
    return 99
