# expect: crash; a good answer is its last act: the next turn finds nobody
import os

from probe import number_asked, say


def choose_move(position):
    say('{"s":%d,"m":%d}\n' % (number_asked(), position.legal_moves()[0]))
    os._exit(0)
