# expect: exception, crash; leaves the arena's program no room to call anything
import sys


def choose_move(position):
    for depth in range(1, 200):
        try:
            sys.setrecursionlimit(depth)
        except RecursionError:
            continue
        return [[[position.legal_moves()[0]]]]
