"""The games in plain C (benchmarks/c), compiled when they are wanted, as Python modules."""

import importlib.util
import subprocess
import sysconfig
from pathlib import Path
from types import ModuleType

from arena import games

SOURCES = Path(__file__).parent / "c"
GAMES = ("anywoli", "omweso", "nsolo")
MULTIPLIER, MODULUS = 48271, 2147483647         # the lots of arena.games.playout


def compiled(game: str, folder: Path) -> ModuleType:
    """The module: `initial()` gives a position to `play`, `play_out(seed)` the number of moves of a game by lot."""
    name = f"plain_{game}"
    library = folder / f"{name}.so"
    subprocess.run(
        ["cc", "-O3", "-fwrapv", "-shared", "-fPIC", f"-I{sysconfig.get_path('include')}", f'-DGAME="{game}.h"',
         f'-DNAME="{name}"', f"-DINIT=PyInit_{name}", str(SOURCES / "module.c"), "-o", str(library)],
        check=True,
    )
    spec = importlib.util.spec_from_file_location(name, library)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check(game: str, module: ModuleType, seeds: range) -> None:
    """Both play the same games, move by move; raises AssertionError where they do not."""
    rules = games.load(game)
    for seed in seeds:
        playing, theirs = games.Game(rules), module.initial()
        chance = 1 + seed % (MODULUS - 1)
        while legal := playing.legal_moves():
            assert (theirs.pits, theirs.legal_moves()) == (playing.position.pits, legal), (game, seed, playing)
            chance = chance * MULTIPLIER % MODULUS
            move = legal[chance % len(legal)]
            playing.push(move)
            theirs = theirs.play(move)
        assert len(playing.moves) == module.play_out(seed), (game, seed, playing)
