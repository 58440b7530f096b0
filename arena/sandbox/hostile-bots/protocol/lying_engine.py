# expect: illegal_move; makes the engine's own classes lie in its sandbox: the referee has others
import sys


def replaced(thing):
    for name, result in (("legal_moves", [77]), ("is_legal", True), ("outcome", None), ("push", None)):
        try:
            setattr(thing, name, lambda *_, result=result: result)
        except (TypeError, AttributeError) as error:
            print("held:", thing, error)


for module in list(sys.modules.values()):
    if module.__name__.startswith("arena.games"):
        for thing in [thing for thing in vars(module).values() if isinstance(thing, type)]:
            replaced(thing)


def choose_move(position):
    return 77
