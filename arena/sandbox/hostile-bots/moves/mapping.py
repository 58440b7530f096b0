# expect: illegal_move; an object in the place of a move
def choose_move(position):
    return {"move": position.legal_moves()[0]}
