# expect: security; turns back the clock the old way
from probe import player, syscall

choose_move = player(lambda: syscall("settimeofday", bytes(16), 0))
