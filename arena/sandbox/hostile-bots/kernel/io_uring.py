# expect: security; asks the kernel to make calls in its place, past the filter
from probe import player, syscall

choose_move = player(lambda: syscall("io_uring_setup", 8, bytes(120)))
