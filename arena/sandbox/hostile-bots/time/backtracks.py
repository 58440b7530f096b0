# expect: timeout; a regular expression that never gives up
import re


def choose_move(position):
    return re.match("(a*)*b", "a" * 64)
