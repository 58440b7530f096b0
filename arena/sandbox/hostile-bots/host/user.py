# expect: plays; nobody in particular, and nobody else to become
import os

from probe import each, player


def root():
    return os.getuid() == 0 or os.geteuid() == 0 or os.getgid() == 0


def become():
    return each(lambda change: change() is None, (
        lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setreuid(0, 0), lambda: os.setresuid(0, 0, 0),
        lambda: os.setgroups([0]), lambda: os.seteuid(0),
    ))


def programs():
    return [name for path, _, names in os.walk("/") for name in names
            if os.stat(os.path.join(path, name)).st_mode & 0o6000]


choose_move = player(root, become, programs)
