# expect: timeout; never answers, at full speed
def choose_move(position):
    while True:
        pass
