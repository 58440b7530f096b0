# expect: plays; no change to how its memory is laid out, nor to what the filter is
from probe import player, syscall

choose_move = player(
    lambda: syscall("personality", 0x0040000),
    lambda: syscall("seccomp", 1, 0, 0),
    lambda: syscall("prctl", 22, 2, 0),
    lambda: syscall("vmsplice", 1, 0, 0, 0),
)
