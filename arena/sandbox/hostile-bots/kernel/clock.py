# expect: security; turns back the clock
from probe import player, syscall

choose_move = player(lambda: syscall("clock_settime", 0, bytes(16)))
