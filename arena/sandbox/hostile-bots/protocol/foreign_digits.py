# expect: protocol; a move in the digits of another script, which int() would take
from probe import number_asked, say_at_last


def choose_move(position):
    say_at_last('{"s":%d,"m":%s}\n' % (number_asked(), chr(0x660 + position.legal_moves()[0])))
