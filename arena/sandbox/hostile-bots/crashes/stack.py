# expect: crash, memory, exception, timeout; recursion without a limit, in the interpreter and below it
import functools
import sys

sys.setrecursionlimit(10**9)


def deeper(position):
    return deeper([position])


def choose_move(position):
    chain = int
    for _ in range(10**6):
        chain = functools.partial(chain)
    print(repr(chain)[:10])
    return deeper(position)
