# expect: illegal_move; a zero that is not quite one
def choose_move(position):
    return -0.0
