# expect: security; makes the kernel wait for it
from probe import player, syscall

choose_move = player(lambda: syscall("userfaultfd", 0))
