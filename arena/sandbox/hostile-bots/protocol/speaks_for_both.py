# expect: protocol; claims to be the opponent, and the referee
from probe import number_asked, say


def choose_move(position):
    say(
        '{"s":%d,"m":%d,"seat":%d,"winner":%d,"verdict":"illegal_move"}\n'
        % (number_asked(), position.legal_moves()[0], 1 - position.to_move, position.to_move)
    )
    return position.legal_moves()[0]
