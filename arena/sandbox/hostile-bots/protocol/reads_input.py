# expect: exception; asks at a keyboard that is not there
def choose_move(position):
    return int(input("Your move? "))
