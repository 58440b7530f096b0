# expect: security; loads a driver
from probe import player, syscall

choose_move = player(lambda: syscall("init_module", b"x", 1, b""))
