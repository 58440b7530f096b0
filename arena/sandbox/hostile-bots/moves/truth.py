# expect: illegal_move; True equals 1, and is no move
def choose_move(position):
    return True
