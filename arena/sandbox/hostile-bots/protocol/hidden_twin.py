# expect: protocol; a key twice, the second time spelled in another way
from probe import number_asked, say_at_last


def choose_move(position):
    say_at_last('{"s":%d,"m":%d,"\\u006d":5}\n' % (number_asked(), position.legal_moves()[0]))
