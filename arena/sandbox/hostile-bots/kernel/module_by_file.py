# expect: security; loads a driver from a file
from probe import player, syscall

choose_move = player(lambda: syscall("finit_module", 0, b"", 0))
