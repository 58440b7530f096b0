# expect: load; promises moves instead of making one
def choose_move(position):
    yield from position.legal_moves()
