# expect: protocol; a number that only looks right
from probe import number_asked, say


def choose_move(position):
    say('{"s":%d.0,"m":%d}\n' % (number_asked(), position.legal_moves()[0]))
    return position.legal_moves()[0]
