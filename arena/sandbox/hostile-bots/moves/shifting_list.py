# expect: plays, illegal_move, exception; a list that is another one at every look
class Shifting(list):
    def __iter__(self):
        return iter([99, 99])

    def __len__(self):
        return 1 << 60

    def __getitem__(self, place):
        return 99

    __eq__ = __contains__ = lambda self, other: True


def choose_move(position):
    return Shifting([position.legal_moves()[0]])
