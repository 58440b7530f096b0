# expect: memory, exception, timeout; a mapping without an end
import itertools


class Bottomless(dict):
    def items(self):
        return ((str(number), number) for number in itertools.count())


def choose_move(position):
    return Bottomless(a=1)
