# expect: crash, timeout, protocol; becomes another program, under the same filter and limits
import os


def choose_move(position):
    loader = next("/lib/" + name for name in os.listdir("/lib") if name.startswith("ld"))
    program = "import os, time; print('a new program'); os.fork()"
    os.execv(loader, [loader, "--library-path", "/lib", "/usr/bin/python3", "-S", "-c", program])
