# expect: protocol; the digits of a good answer, with a zero in front that JSON does not know
from probe import number_asked, say_at_last


def choose_move(position):
    say_at_last('{"s":%d,"m":0%d}\n' % (number_asked(), position.legal_moves()[0]))
