# expect: protocol; an answer of full length, whose end comes when the length is used up
import time

from probe import number_asked, say


def choose_move(position):
    say(('{"s":%d,"m":%d}' % (number_asked(), position.legal_moves()[0])).ljust(4096))
    time.sleep(0.01)
    say("\n")
    time.sleep(3600)
