# expect: illegal_move; a number of as many digits as an answer holds
def choose_move(position):
    return 10**4070
