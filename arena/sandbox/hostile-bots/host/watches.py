# expect: plays; no looking on while other bots use the shared files
import ctypes

from probe import player, syscall


def inotify():
    return syscall("inotify_init1", 0)


def fanotify():
    return syscall("fanotify_init", 0, 0)


def by_library():
    return ctypes.CDLL(None).inotify_init1(0) >= 0


choose_move = player(inotify, fanotify, by_library)
