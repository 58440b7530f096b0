# expect: exception; a list that contains itself
def choose_move(position):
    moves = []
    moves.append(moves)
    return moves
