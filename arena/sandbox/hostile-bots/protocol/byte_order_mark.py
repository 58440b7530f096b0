# expect: protocol; a good answer with a mark in front of it
from probe import number_asked, say


def choose_move(position):
    say('\ufeff{"s":%d,"m":%d}\n' % (number_asked(), position.legal_moves()[0]))
    return position.legal_moves()[0]
