"""What the engines and the search are measured with: the compiled games, and OpenSpiel beside them."""

from typing import Any

from arena import games
from benchmarks.measuring import NotHere


def require_compiled_games() -> None:
    """Raises: RuntimeError, since figures of interpreted games would be taken for those of compiled ones."""
    if not games.is_compiled():
        raise RuntimeError("the games are not compiled here; `python scripts/compile_modules.py --required` says why")


def open_spiel() -> Any:
    """The module.  Raises: NotHere."""
    try:
        import pyspiel
    except ImportError as error:
        raise NotHere("OpenSpiel is not installed; `make bench` brings it (extra `bench`)") from error
    return pyspiel
