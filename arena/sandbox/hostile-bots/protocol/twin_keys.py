# expect: protocol; two answers in one, so that each reader may take another
from probe import number_asked, say


def choose_move(position):
    say('{"s":%d,"m":99,"m":%d}\n' % (number_asked(), position.legal_moves()[0]))
    return position.legal_moves()[0]
