# expect: plays; puts empty modules in the place of those the arena's program came from
import sys
import types

for name in ("__main__", "arena", "arena.games", "arena.sandbox", "json", "os", "random", "resource", "sys", "types"):
    sys.modules[name] = types.ModuleType(name)


def choose_move(position):
    return position.legal_moves()[0]
