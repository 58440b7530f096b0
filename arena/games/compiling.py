"""Which of the two forms of these modules is imported: compiled, or interpreted.

`scripts/compile_games.py` compiles the modules into a folder whose name is a hash of their sources, so what was made
of other sources is never found; then, and where nothing was compiled, the sources are interpreted.  Both give the
same answers.  `python -X interpreted_games` leaves the compiled ones aside.  This module is never compiled.
"""

import sys
from _imp import source_hash
from collections.abc import MutableSequence

ModuleType = type(sys)              # `types` costs an import

FOLDER = "compiled"
GROUP = "arena.games.together"      # the library in which all compiled modules lie
OPTION = "interpreted_games"

# What decides the speed of a game.  The others read options and texts, and are small.
MODULES = (
    "anywoli", "board", "four_row", "game", "history", "memory", "met", "nsolo", "omweso", "omweso_set_up",
    "omweso_turn", "outcome", "oware", "playout", "position", "rules", "search", "sowing", "two_row", "urim",
)
_PRIME = 0x6172656E61               # a name of the kind of hash: the compiled form of the same sources may change


def folder_for(sources: str) -> str:
    """Where the compiled form of the modules in the folder `sources` lies, if they have been compiled."""
    contents = b"".join([_read(f"{sources}/{name}.py") for name in (*MODULES, "native")])
    return f"{sources}/{FOLDER}/{source_hash(_PRIME, contents).hex()}"


def prefer_compiled(path: MutableSequence[str]) -> None:
    """Let the modules of the package with this path be imported in compiled form, if there is one of these sources."""
    if OPTION not in sys._xoptions and _has_vectors():
        path.insert(0, folder_for(path[0]))


def _has_vectors() -> bool:
    """Import what compiled code needs, if it is installed.

    It asks `mypy_extensions` for types of numbers, which would bring in `typing` and double the time to import the
    games; so it gets them from a stand-in.
    """
    if "mypy_extensions" in sys.modules:
        return _can_import_vectors()
    stand_in = ModuleType("mypy_extensions")
    stand_in.__getattr__ = lambda name: type(name, (), {})      # type: ignore[method-assign]
    sys.modules["mypy_extensions"] = stand_in
    try:
        return _can_import_vectors()
    finally:
        del sys.modules["mypy_extensions"]


def _can_import_vectors() -> bool:
    try:
        import librt.vecs  # noqa: F401
    except ImportError:
        return False
    return True


def is_compiled() -> bool:
    """Whether the compiled form is in use."""
    from arena.games import oware

    return not str(oware.__file__).endswith(".py")


def _read(file: str) -> bytes:
    with open(file, "rb") as opened:
        return opened.read()
