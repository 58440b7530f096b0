# expect: memory; asks for more than any machine has
def choose_move(position):
    return bytearray(1 << 40)
