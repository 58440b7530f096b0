# expect: protocol; a good answer that is a fault as well, so that each reader may take another
from probe import number_asked, say_at_last


def choose_move(position):
    say_at_last('{"s":%d,"m":%d,"fault":"memory","text":"x"}\n' % (number_asked(), position.legal_moves()[0]))
