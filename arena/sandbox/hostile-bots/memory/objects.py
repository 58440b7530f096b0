# expect: memory, timeout; many small objects, none of which is large
def choose_move(position):
    chain = None
    while True:
        chain = [chain, {}, {}]
