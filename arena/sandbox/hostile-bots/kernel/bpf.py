# expect: security; loads a program into the kernel
from probe import player, syscall

choose_move = player(lambda: syscall("bpf", 0, bytes(120), 120))
