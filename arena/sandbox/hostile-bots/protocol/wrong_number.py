# expect: protocol; answers a request that was never put
from probe import number_asked, say


def choose_move(position):
    say('{"s":%d,"m":0}\n' % (number_asked() + 10**6))
    return position.legal_moves()[0]
