# expect: plays; memory cannot be pinned, nor kept in the kernel
import ctypes
import os

from probe import player, syscall


def pinned():
    return syscall("mlockall", 3)


def file_in_memory():
    return os.memfd_create("hoard") + 1


def message_queue():
    return syscall("msgget", 0, 0o1600)


def shared_segment():
    return ctypes.CDLL(None).shmget(0, ctypes.c_size_t(1 << 20), 0o1600) >= 0


choose_move = player(pinned, file_in_memory, message_queue, shared_segment)
