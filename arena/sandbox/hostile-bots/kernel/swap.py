# expect: security; changes the machine's memory
from probe import player, syscall

choose_move = player(lambda: syscall("swapon", b"/usr/bin/python3", 0))
