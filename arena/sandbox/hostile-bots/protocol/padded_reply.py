# expect: protocol; blanks around a good answer, one byte too many
from probe import number_asked, say


def choose_move(position):
    line = '{"s":%d,"m":%d}' % (number_asked(), position.legal_moves()[0])
    say(line.ljust(4096) + "\n")
    return position.legal_moves()[0]
