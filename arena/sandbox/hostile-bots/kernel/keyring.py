# expect: security; leaves a message in the kernel's keys
from probe import player, syscall

choose_move = player(lambda: syscall("keyctl", 0, -3, 1))
