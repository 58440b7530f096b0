# expect: security; takes the root away
from probe import player, syscall

choose_move = player(lambda: syscall("umount2", b"/", 2))
