# expect: crash; a good answer without its end, and nobody there to end it
from probe import number_asked, say_at_last


def choose_move(position):
    say_at_last('{"s":%d,"m":%d}' % (number_asked(), position.legal_moves()[0]))
