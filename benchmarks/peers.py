"""What the engines and the search are measured with: the compiled games, and OpenSpiel beside them."""

from collections.abc import Callable, Iterator
from typing import Any

from arena import games
from benchmarks.measuring import Comparison, Effort, NotHere, compared
from benchmarks.rows import Row


def _require_compiled_games() -> None:
    """Raises: RuntimeError, since figures of interpreted games would be taken for those of compiled ones."""
    if not games.is_compiled():
        raise RuntimeError("the games are not compiled here; `python scripts/compile_modules.py --required` says why")


def compared_with_open_spiel(comparisons: Callable[[], list[Comparison]], effort: Effort) -> Iterator[Row]:
    """Each of them, measured; where OpenSpiel is not, one row that says so."""
    _require_compiled_games()
    try:
        yield from compared(comparisons(), effort)
    except NotHere as missing:
        yield Row("everything against OpenSpiel").not_measured(str(missing))


def open_spiel() -> Any:
    """The module.  Raises: NotHere."""
    try:
        import pyspiel
    except ImportError as error:
        raise NotHere("OpenSpiel is not installed; `make bench` brings it (extra `bench`)") from error
    return pyspiel
