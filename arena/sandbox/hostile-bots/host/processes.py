# expect: plays; no other process can be seen, by name or by number
import os

from probe import each, player


def proc():
    return os.path.exists("/proc/self") or os.listdir("/proc")


def numbers():
    return os.getpid() != 1 or os.getppid() != 0


def groups():
    return each(lambda pid: os.getpgid(pid) >= 0, range(2, 400))


def usage():
    return os.wait3(os.WNOHANG)


choose_move = player(proc, numbers, groups, usage)
