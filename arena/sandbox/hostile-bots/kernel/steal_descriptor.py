# expect: security; takes an open file from another process
from probe import player, syscall

choose_move = player(lambda: syscall("pidfd_getfd", 3, 0, 0))
