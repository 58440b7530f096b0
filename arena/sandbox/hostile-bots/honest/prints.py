# expect: plays; what is printed, even in the protocol's own words, goes to the log only
import sys

print("loading")


def choose_move(position):
    print('{"s":1,"m":0}')
    print("thinking about", position.legal_moves(), file=sys.stderr)
    return position.legal_moves()[0]
