# expect: security; looks into another process
from probe import player, syscall

choose_move = player(lambda: syscall("ptrace", 16, 1, 0, 0))
