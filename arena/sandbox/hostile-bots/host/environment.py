# expect: plays; no secret in the environment, in the arguments or in the memory it starts with
import os
import sys

from probe import player

OURS = {"PATH", "LC_ALL", "PWD", "PYTHONHASHSEED", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"}


def variables():
    return sorted(set(os.environ) - OURS)


def arguments():
    return [word for word in sys.orig_argv if "/work" in word or "/home" in word or "redis" in word]


choose_move = player(variables, arguments)
