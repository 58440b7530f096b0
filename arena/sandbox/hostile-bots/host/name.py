# expect: plays; the machine has no name here
import os
import socket

from probe import player


def name():
    return os.uname().nodename != "bot" or socket.gethostname() != "bot"


def renamed():
    socket.sethostname("mine")
    return "a new name"


choose_move = player(name, renamed)
