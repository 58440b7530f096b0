# expect: security; mounts by the newer calls
from probe import player, syscall

choose_move = player(lambda: syscall("fsopen", b"tmpfs", 0))
