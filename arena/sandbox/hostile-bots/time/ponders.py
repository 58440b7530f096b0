# expect: protocol; answers behind the arena's back, then goes on computing in the opponent's time
import time

from probe import number_asked, say


def choose_move(position):
    say('{"s":%d,"m":%d}\n' % (number_asked(), position.legal_moves()[0]))
    enough = time.process_time() + 0.3
    while time.process_time() < enough:
        pass
    return position.legal_moves()[0]
