# expect: protocol; answers every request that is still to come
from probe import number_asked, say


def choose_move(position):
    number, move = number_asked(), position.legal_moves()[0]
    say("".join('{"s":%d,"m":%d}\n' % (number + ahead, move) for ahead in range(100)))
    return move
