# expect: plays; much is printed, and the log keeps its beginning and its end
print("BEGIN")


def choose_move(position):
    print("." * 3000)
    return position.legal_moves()[0]
