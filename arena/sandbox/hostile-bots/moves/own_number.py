# expect: plays, illegal_move; a number that equals everything: only its digits leave the sandbox
class Any(int):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __repr__(self):
        return "0,\"s\":0"


def choose_move(position):
    return Any(position.legal_moves()[0])
