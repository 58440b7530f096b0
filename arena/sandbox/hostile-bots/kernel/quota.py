# expect: security; changes what others may store
from probe import player, syscall

choose_move = player(lambda: syscall("quotactl", 0, b"", 0, bytes(64)))
