# expect: plays; no connection anywhere, by any protocol
import socket

from probe import each, player

PLACES = (("127.0.0.1", 6379), ("127.0.0.1", 5432), ("169.254.169.254", 80), ("1.1.1.1", 53))


def tcp():
    return each(lambda place: socket.create_connection(place, 0.05), PLACES)


def udp():
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", PLACES[-1])


def names():
    return socket.getaddrinfo("example.com", 80)


def listening():
    return socket.create_server(("127.0.0.1", 0))


def six():
    return socket.socket(socket.AF_INET6)


choose_move = player(tcp, udp, names, listening, six)
