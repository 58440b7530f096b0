# expect: security; compares what two processes share
from probe import player, syscall

choose_move = player(lambda: syscall("kcmp", 1, 1, 0, 0, 0))
