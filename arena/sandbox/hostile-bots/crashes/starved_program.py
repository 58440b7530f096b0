# expect: crash; becomes a program that has no room to start, so that the kernel ends it
import os
import resource


def choose_move(position):
    resource.setrlimit(resource.RLIMIT_AS, (1 << 20, 1 << 20))
    os.execv("/usr/bin/python3", ["/usr/bin/python3", "-S", "-c", "1"])
