# expect: protocol, exception; reports a fault of a kind it made up, so that nobody should pay
from probe import number_asked, say


def choose_move(position):
    say('{"s":%d,"fault":"arena/overloaded","text":"retry, please"}\n' % number_asked())
    return position.legal_moves()[0]
