# expect: plays; no socket of any other kind: bot to bot, to the kernel, to the machine around
import socket

from probe import each, player

UNIX, NETLINK, PACKET, ALGORITHM, VSOCK = 1, 16, 17, 38, 40


def families():
    return each(lambda family: socket.socket(family, socket.SOCK_STREAM), (UNIX, VSOCK))


def datagrams():
    return each(lambda family: socket.socket(family, socket.SOCK_RAW), (NETLINK, PACKET, ALGORITHM))


def abstract():
    one = socket.socket(UNIX)
    one.bind("\0bots")
    return one


choose_move = player(families, datagrams, abstract, socket.socketpair)
