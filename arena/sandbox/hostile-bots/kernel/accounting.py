# expect: security; makes the kernel write a file
from probe import player, syscall

choose_move = player(lambda: syscall("acct", b"/arena/log"))
