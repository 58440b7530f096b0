# expect: security; copies a tree of mounts
from probe import player, syscall

choose_move = player(lambda: syscall("open_tree", -100, b"/", 1))
