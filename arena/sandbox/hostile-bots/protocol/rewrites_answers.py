# expect: protocol; replaces the encoder, so that its move is an end of the line and the beginning of the next answer
from probe import runner


def choose_move(position):
    runner().f_globals["_encode"] = lambda moves: '%d}\n{"s":3,"m":0' % moves[0]
    return [position.legal_moves()[0]]
