# expect: security; measures what others do
from probe import player, syscall

choose_move = player(lambda: syscall("perf_event_open", bytes(120), 0, -1, -1, 0))
