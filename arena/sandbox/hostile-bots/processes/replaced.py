# expect: crash, timeout, protocol, exception; becomes another program, under the same filter and limits
import os

PROGRAM = """
import os, socket
print("a new program")
for gain in (os.fork, socket.socket, lambda: open("/usr/new", "w"), lambda: os.listdir("/proc")):
    try:
        gain()
        print("PWNED")
    except OSError as error:
        print("held:", error)
"""


def choose_move(position):
    os.execv("/usr/bin/python3", ["/usr/bin/python3", "-S", "-c", PROGRAM])
