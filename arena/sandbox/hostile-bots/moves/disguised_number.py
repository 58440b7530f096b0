# expect: plays; a number that writes more than itself: only its digits leave the sandbox
class Move(int):
    def __format__(self, spec):
        return '0,"winner":1'

    __repr__ = __str__ = lambda self: format(self)


def choose_move(position):
    return Move(position.legal_moves()[0])
