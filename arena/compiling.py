"""Which of the two forms of a module is imported: compiled, or interpreted.

`scripts/compile_modules.py` compiles the modules named here into folders of their packages whose names are hashes of
the sources, so what was made of others is never found; then, and where nothing was compiled, the sources are
interpreted.  Both give the same answers.  `python -X interpreted` leaves the compiled ones aside.  This module is never
compiled.
"""

import sys
from _imp import source_hash
from collections.abc import MutableSequence
from importlib import import_module

ModuleType = type(sys)              # `types` costs an import

FOLDER = "compiled"
OPTION = "interpreted"

# By library and package, from the lowest room up.  Within a library calls need no detour.  What was compiled is thrown
# away with a change in a library below it as well.
LIBRARIES: dict[str, dict[str, tuple[str, ...]]] = {
    # What decides the speed of a game.  The others read options and texts, and are small.
    "games": {
        "games": (
            "anywoli", "board", "four_row", "game", "history", "memory", "met", "nsolo", "omweso", "omweso_set_up",
            "omweso_turn", "outcome", "oware", "playout", "position", "rules", "search", "sowing", "two_row", "urim",
        ),
    },
    # What every turn of a match passes through on the host.
    "turn": {
        "match": ("clock", "game_underway", "turn"),
        "sandbox": ("channel", "fair_time", "replies", "sandboxed_player"),
    },
}
# By library: what its modules import and is not compiled.  Their types are compiled in, so a change of it counts.
_READ_AS_WELL = {
    "games": ("errors", "games/four_row_text", "games/native", "games/notation", "games/options"),
    "turn": (
        "match/format", "match/openings", "match/player", "match/record_types", "match/scoring", "match/time_control",
        "sandbox/child_process", "sandbox/limits", "sandbox/verdicts",
    ),
}
_PRIME = 0x6172656E61               # a name of the kind of hash: the compiled form of the same sources may change
_sources: dict[str, bytes] = {}     # of each library, by where it lies


def prefer_compiled(path: MutableSequence[str]) -> None:
    """Let the modules of the package with this path be imported in compiled form, if there is one of these sources."""
    if OPTION not in sys._xoptions and _has_vectors():
        try:
            path.insert(0, folder_for(path[0]))
        except FileNotFoundError:       # not all sources are there, as in the image of a sandbox
            return


def is_compiled(package: str = "games") -> bool:
    """Whether the compiled form of this package's modules is in use."""
    first = next(packages[package][0] for packages in LIBRARIES.values() if package in packages)
    return not str(import_module(f"arena.{package}.{first}").__file__).endswith(".py")


def folder_for(package: str) -> str:
    """Where the compiled form of the modules in the folder `package` lies, if they have been compiled."""
    arena, _, name = package.rpartition("/")
    return f"{package}/{FOLDER}/{source_hash(_PRIME, _sources_up_to(name, arena)).hex()}"


def _sources_up_to(name: str, arena: str) -> bytes:
    """The sources of the library with this package, and of those below it."""
    sources = b""
    for library, packages in LIBRARIES.items():
        place = f"{arena}/{library}"
        if place not in _sources:
            _sources[place] = b"".join([_read(f"{arena}/{module}.py") for module in modules_read(library)])
        sources += _sources[place]
        if name in packages:
            return sources
    raise ValueError(f"nothing of {name} is compiled")


def modules_read(library: str) -> list[str]:
    """The modules whose sources decide what is compiled of a library, such as `games/oware`."""
    compiled = [f"{package}/{module}" for package, modules in LIBRARIES[library].items() for module in modules]
    return [*compiled, *_READ_AS_WELL[library]]


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


def _read(file: str) -> bytes:
    with open(file, "rb") as opened:
        return opened.read()
