# expect: exception, timeout; an error that fails when anybody looks at it
class Evil(BaseException):
    def __str__(self):
        raise self

    __repr__ = __str__

    def __getattribute__(self, name):
        raise self


def choose_move(position):
    raise Evil
