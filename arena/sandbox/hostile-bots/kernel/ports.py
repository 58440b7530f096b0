# expect: security, plays; speaks to the hardware; on other machines there is no such call
from probe import player, syscall

choose_move = player(lambda: syscall("iopl", 3))
