# expect: protocol, illegal_move, timeout; answers the next request before it can know what is asked
import time

from probe import number_asked, say


def choose_move(position):
    number, move = number_asked(), position.legal_moves()[0]
    say('{"s":%d,"m":%d}\n' % (number, move))
    time.sleep(0.001)
    say('{"s":%d,"m":99}\n' % (number + 1))
    time.sleep(3600)
