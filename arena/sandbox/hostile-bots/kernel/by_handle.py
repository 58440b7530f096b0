# expect: security; opens a file by its number, past every folder
from probe import player, syscall

choose_move = player(lambda: syscall("open_by_handle_at", 3, bytes(16), 0))
