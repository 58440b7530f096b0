# expect: plays; text hashes alike in all sandboxes; printed, for a second run to compare
print("HASH", hash("pit"), hash(b"seed"))


def choose_move(position):
    return position.legal_moves()[0]
