# expect: illegal_move; a pit counted from the end
def choose_move(position):
    return -1
