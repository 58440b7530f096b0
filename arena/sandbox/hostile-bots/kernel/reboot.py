# expect: security; ends the match for everybody
from probe import player, syscall

choose_move = player(lambda: syscall("reboot", 0, 0, 0, 0))
