# expect: timeout; an answer that comes one byte at a time, each in time
import time

from probe import number_asked, say


def choose_move(position):
    for byte in '{"s":%d,"m":%s%d}' % (number_asked(), " " * 500, position.legal_moves()[0]):
        say(byte)
        time.sleep(0.02)
