# expect: output; prints without end
def choose_move(position):
    while True:
        print("all work and no play" * 100)
