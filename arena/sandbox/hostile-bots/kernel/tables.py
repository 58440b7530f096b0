# expect: security, plays; changes the processor's tables; on other machines there is no such call
from probe import player, syscall

choose_move = player(lambda: syscall("modify_ldt", 0, bytes(16), 16))
