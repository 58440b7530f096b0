# expect: protocol; the right number, written as a fraction would be
from probe import number_asked, say_at_last


def choose_move(position):
    say_at_last('{"s":%de0,"m":%d}\n' % (number_asked(), position.legal_moves()[0]))
