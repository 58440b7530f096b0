# expect: illegal_move; forgets to answer
def choose_move(position):
    return None
