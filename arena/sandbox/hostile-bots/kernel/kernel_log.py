# expect: security; reads the kernel's log
from probe import player, syscall

choose_move = player(lambda: syscall("syslog", 3, bytes(64), 64))
