# expect: security; starts another kernel
from probe import player, syscall

choose_move = player(lambda: syscall("kexec_load", 0, 0, 0, 0))
