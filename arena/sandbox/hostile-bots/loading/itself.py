# expect: plays; imports itself
import bot


def choose_move(position):
    assert bot.choose_move is choose_move
    return position.legal_moves()[0]
