# expect: plays; clone in its old and its new form, also with namespaces of its own
import ctypes

from probe import player, syscall

SIGCHLD = 17
NEW_USER_NAMESPACE = 0x10000000


def old():
    return syscall("clone", SIGCHLD, 0, 0, 0, 0)


def old_with_namespace():
    return syscall("clone", NEW_USER_NAMESPACE | SIGCHLD, 0, 0, 0, 0)


def new():
    arguments = (ctypes.c_uint64 * 8)(0, 0, 0, 0, SIGCHLD)
    return syscall("clone3", arguments, 64)


choose_move = player(old, old_with_namespace, new)
