# expect: memory; takes more and more, a little at a time
def choose_move(position):
    hoard = []
    while True:
        hoard.append(bytearray(4 << 20))
