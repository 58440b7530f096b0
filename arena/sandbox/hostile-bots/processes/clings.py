# expect: plays; cannot take back that it dies with its host, nor let itself be watched
from probe import each, player, syscall

PARENT_DEATH_SIGNAL, DUMPABLE, NAME, SUBREAPER, PTRACER, MEMORY_MAP = 1, 4, 15, 36, 0x59616D61, 35

choose_move = player(lambda: each(
    lambda option: syscall("prctl", option, 1, 0, 0, 0),
    (PARENT_DEATH_SIGNAL, DUMPABLE, NAME, SUBREAPER, PTRACER, MEMORY_MAP),
))
