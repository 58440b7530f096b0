# expect: security; makes itself root of a world of its own
from probe import player, syscall

choose_move = player(lambda: syscall("unshare", 0x10000000))
