# expect: security; the same, by the other door
from probe import player, syscall

choose_move = player(lambda: syscall("add_key", b"user", b"note", b"x", 1, -3))
