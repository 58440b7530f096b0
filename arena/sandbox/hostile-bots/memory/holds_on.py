# expect: memory; has all memory there is, and goes on to use more
HOARD = []


def choose_move(position):
    for size in (1 << 20, 1 << 12, 1 << 6):
        try:
            while True:
                HOARD.append(bytearray(size))
        except MemoryError:
            pass
    return position.legal_moves()[0]
