# expect: illegal_move; a whole number, written as a fraction would be
from probe import number_asked, say_at_last


def choose_move(position):
    say_at_last('{"s":%d,"m":%de0}\n' % (number_asked(), position.legal_moves()[0]))
