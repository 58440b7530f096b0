# expect: exception, crash; an error whose class lies about its name
class Liar(type):
    @property
    def __name__(cls):
        raise SystemExit(0)


class Error(Exception, metaclass=Liar):
    pass


def choose_move(position):
    raise Error
