# expect: protocol; JSON, and no object
from probe import number_asked, say


def choose_move(position):
    say("[%d,%d]\n" % (number_asked(), position.legal_moves()[0]))
    return position.legal_moves()[0]
