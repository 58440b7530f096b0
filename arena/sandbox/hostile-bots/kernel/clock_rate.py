# expect: security; makes the clock go slower
from probe import player, syscall

choose_move = player(lambda: syscall("adjtimex", bytes(256)))
