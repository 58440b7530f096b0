"""The shipped sample bots, played here and now against a visitor.

They are ours, bounded and trusted, so no sandbox is needed; bots that people submit never run here.  They are read as
files: nothing below the shells imports `bots`.
"""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path
from time import perf_counter

from arena.errors import NotFound
from arena.games import Move, Position
from arena.match.turn import ClockView

PACKAGE = "bots.samples"
TURN_MS = 150.0                 # for all decisions of a turn; who looks at no clock is quick by nature

Choose = Callable[..., Move]


def names() -> tuple[str, ...]:
    """The sample bots there are."""
    return tuple(sorted(path.stem for path in _folder().glob("*.py") if not path.stem.startswith("_")))


def source(name: str) -> bytes:
    """The file of a sample bot."""
    return (_folder() / f"{name}.py").read_bytes()


class Sample:
    """A sample bot at one turn; its clock starts when it is made.  Raises: NotFound, listing those there are."""

    def __init__(self, name: str) -> None:
        if name not in names():
            raise NotFound(f"No sample bot is called {name[:40]!r}; there are {', '.join(names())}.", field="bot")
        self._choose = _loaded(name)
        self._takes_clock = len(signature(self._choose).parameters) > 1
        self._deadline = perf_counter() + TURN_MS / 1000

    def choose(self, position: Position) -> Move:
        """Its next decision."""
        if not self._takes_clock:
            return self._choose(position)
        left_ms = max(0.0, (self._deadline - perf_counter()) * 1000)
        return self._choose(position, ClockView(left_ms, 0.0, 0.0))


def _folder() -> Path:
    return Path(str(files(PACKAGE)))


@cache
def _loaded(name: str) -> Choose:
    spec = spec_from_file_location(f"arena_sample_{name}", _folder() / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    choose: Choose = module.choose_move
    return choose
