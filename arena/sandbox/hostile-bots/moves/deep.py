# expect: exception, crash; lists within lists, deeper than the interpreter can go
def choose_move(position):
    moves = position.legal_moves()[0]
    for _ in range(200_000):
        moves = [moves]
    return moves
