# expect: security; hides or replaces what is shared
from probe import player, syscall

choose_move = player(lambda: syscall("mount", b"none", b"/usr", b"tmpfs", 0, 0))
