# expect: illegal_move; a move in quotation marks, with half a character
def choose_move(position):
    return "0\ud800"
