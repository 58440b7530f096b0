# expect: plays; there is nothing above the root
import os

from probe import each, player


def up():
    os.chdir("/usr")
    for _ in range(50):
        os.chdir("..")
    return sorted(set(os.listdir(".")) - {"arena", "lib", "lib64", "usr"})


def through_descriptors():
    return each(lambda number: os.fchdir(number) is None and os.path.exists("etc"), range(3, 32))


def by_magic_link():
    return os.listdir("/proc/1/root")


choose_move = player(up, through_descriptors, by_magic_link)
