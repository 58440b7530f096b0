"""Which arguments a bot's callables get, whatever they are made of, and what is said of those that cannot play."""

import pytest

from arena.errors import BotLoad
from arena.sandbox.player import open_unsafe_player
from tests.sandbox.bots import first_move, opened

WRAPPER = """
import functools
def noted(function):
    @functools.wraps(function)
    def outer(*args, **kwargs):
        return function(*args, **kwargs)
    return outer
"""


@pytest.mark.parametrize("parameters", ["position", "position, clock", "p, c, game", "position, clock=None", "a, b, c"])
@pytest.mark.parametrize("decorator", ["noted", "functools.cache", "functools.lru_cache(maxsize=8)"])
def test_a_decorated_function_gets_what_it_takes(parameters: str, decorator: str) -> None:
    names = [word.partition("=")[0].strip() for word in parameters.split(",")]
    count, last = len(names), names[-1]
    source = f"{WRAPPER}@{decorator}\ndef choose_move({parameters}): return 0 if {last} is None else {count}"
    assert moves_of(source) == (count,)


@pytest.mark.parametrize(
    ("source", "move"),
    [
        (WRAPPER + "class Bot:\n @noted\n def choose_move(self, position, clock): return 2", 2),
        (WRAPPER + "class Bot:\n @staticmethod\n @noted\n def choose_move(position, clock): return 2", 2),
        (WRAPPER + "class Bot:\n @classmethod\n @noted\n def choose_move(cls, p, clock): return 2", 2),
        (WRAPPER + "@noted\n@noted\ndef choose_move(position, clock): return 2", 2),
        # The decorator hands in an argument of its own, or takes one away.
        ("import functools\ndef inner(table, position): return table\n@functools.wraps(inner)\n"
         "def choose_move(*args): return inner(3, *args)", 3),
        ("import functools\ndef inner(position, clock): return 3\n@functools.wraps(inner)\n"
         "def choose_move(position): return inner(position, None)", 3),
        ("import functools\nclass Noted:\n def __init__(self, f): functools.update_wrapper(self, f); self.f = f\n"
         " def __call__(self, *args): return self.f(*args)\n@Noted\ndef choose_move(position, clock): return 2", 2),
        ("class Player:\n def __call__(self, position, clock): return 2\nchoose_move = Player()", 2),
        ("import functools\nchoose_move = functools.partial(lambda table, position, clock: table, 3)", 3),
        ("import functools\nchoose_move = functools.partial(lambda position, depth: depth, depth=3)", 3),
        ("def choose_move(position, *, depth=3): return depth", 3),
        ("def choose_move(position, /, clock): return 3", 3),
        ("class Bot:\n def choose_move(self, position): return 3\n new_game = game_over = lambda self, *args: None", 3),
        ("class Bot(dict):\n def choose_move(self, position): return 3", 3),
        ("import dataclasses\n@dataclasses.dataclass\nclass Bot:\n match: object = None\n"
         " def choose_move(self, position): return 3 if self.match else 0", 3),
    ],
)
def test_callables_of_every_make_play(source: str, move: int) -> None:
    assert moves_of(source) == (move,)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("choose_move = 3", "choose_move is no function, but of type int$"),
        ("class choose_move: pass", "choose_move is a class; make it a function"),
        ("def choose_move(): return 0", "choose_move takes no argument; write choose_move\\(position\\)"),
        ("def choose_move(**words): return 0", "takes no argument"),
        ("def choose_move(a, b, c, d): return 0", r"requires 4 arguments; it gets at most \(position, clock, game\)"),
        ("def choose_move(position, *, depth): return 0", "requires depth by name"),
        ("async def choose_move(position): return 0", "is asynchronous, and nothing would await it"),
        ("async def choose_move(position): yield 0", "is asynchronous"),
        ("def choose_move(position): yield 0", "is a generator, for it contains yield"),
        ("class Bot:\n async def choose_move(self, position): return 0", "is asynchronous"),
        ("class P:\n def __call__(self, position): yield 0\nchoose_move = P()", "is a generator"),
        ("choose_move = max", "nobody can see what choose_move takes, as it is built in"),
        ("class Bot:\n def choose_move(): return 0", "takes no argument"),
        ("Bot = 3", "the class Bot has no method choose_move"),
        ("class P:\n def choose_move(self, position): return 0\nBot = P()", "Bot is no class, but of type P"),
        ("class Bot:\n def __init__(self, match, depth): pass\n def choose_move(self, position): return 0",
         r"write __init__\(self\) or __init__\(self, match\)"),
        ("class Bot:\n new_game = 3\n def choose_move(self, position): return 0", "new_game is no method"),
        ("class Bot:\n def new_game(self): pass\n def choose_move(self, position): return 0",
         r"new_game takes no argument; write new_game\(side\)"),
        ("class Bot:\n def game_over(self, a, b): pass\n def choose_move(self, position): return 0",
         r"game_over requires 2 arguments; it gets \(outcome\)"),
    ],
)
def test_what_cannot_play_is_told_so_when_it_is_loaded(source: str, says: str) -> None:
    with pytest.raises(BotLoad, match=says):
        opened(open_unsafe_player, source)


def moves_of(source: str) -> tuple[int, ...]:
    return first_move(open_unsafe_player, source)[0].moves
