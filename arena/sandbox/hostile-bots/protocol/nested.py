# expect: protocol; brackets within brackets, as many as an answer holds
from probe import number_asked, say


def choose_move(position):
    say('{"s":%d,"m":%s}\n' % (number_asked(), "[" * 2000 + "]" * 2000))
    return position.legal_moves()[0]
