# expect: illegal_move, protocol; more than any number
def choose_move(position):
    return float("inf")
