# expect: exception, crash; pretends that somebody pressed the key
def choose_move(position):
    raise KeyboardInterrupt
