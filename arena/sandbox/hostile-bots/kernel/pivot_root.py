# expect: security; exchanges the root
from probe import player, syscall

choose_move = player(lambda: syscall("pivot_root", b"/", b"/usr"))
