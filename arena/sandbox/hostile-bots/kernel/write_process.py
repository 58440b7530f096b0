# expect: security; writes another process's memory
from probe import player, syscall

choose_move = player(lambda: syscall("process_vm_writev", 1, 0, 0, 0, 0, 0))
