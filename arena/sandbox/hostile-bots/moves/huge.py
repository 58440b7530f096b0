# expect: exception, illegal_move, protocol; a number of a hundred thousand digits
def choose_move(position):
    return 10**100_000
