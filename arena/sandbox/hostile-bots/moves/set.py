# expect: exception; what JSON has no word for
def choose_move(position):
    return {position.legal_moves()[0]}
