# expect: plays; a hundred megabytes are no crime
TABLE = bytearray(100 << 20)


def choose_move(position):
    TABLE[hash(position) % len(TABLE)] = 1
    return position.legal_moves()[0]
