# expect: security; the first step of the old way out
from probe import player, syscall

choose_move = player(lambda: syscall("chroot", b"/usr"))
