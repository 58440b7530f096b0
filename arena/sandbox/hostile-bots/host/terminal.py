# expect: plays; no terminal to type into, also not by a number whose upper half is cut off
import ctypes

from probe import each, player, syscall

PUSH = 0x5412
PASTE = 0x541C


def typed(request):
    return each(lambda number: syscall("ioctl", number, request, ctypes.create_string_buffer(b"x")), range(16))


choose_move = player(
    lambda: typed(PUSH), lambda: typed(PASTE), lambda: typed(PUSH | 1 << 32), lambda: syscall("vhangup")
)
