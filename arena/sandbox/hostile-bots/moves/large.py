# expect: illegal_move; a number too large for anything but Python
def choose_move(position):
    return 2**64
