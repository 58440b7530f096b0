# expect: security; moves into another world
from probe import player, syscall

choose_move = player(lambda: syscall("setns", 3, 0))
