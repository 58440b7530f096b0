"""How the command line speaks: results on stdout, everything else on stderr, never both for one thing."""

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress


def show(text: str) -> None:
    """A result, in plain text; rich markup is not read."""
    print(text, flush=True)


def note(text: str) -> None:
    """Something for the person watching: what goes on, what to do next."""
    print(text, file=sys.stderr, flush=True)


def quoted(printed: str, most: int) -> str:
    """The last lines of what a bot has printed, without the signs that a terminal would obey."""
    return "\n".join(f"  | {_harmless(line)}" for line in printed.splitlines()[-most:])


def show_json(value: Any) -> None:
    """One JSON document, and nothing else, on stdout."""
    show(json_text(value))


def json_text(value: Any) -> str:
    """Set as people read it; where stdout has not all signs, those beyond ASCII are escaped."""
    has_all_signs = (sys.stdout.encoding or "").lower().startswith("utf")
    return json.dumps(value, ensure_ascii=not has_all_signs, indent=2)


def _harmless(line: str) -> str:
    return "".join(sign if sign.isprintable() or sign == "\t" else "\N{REPLACEMENT CHARACTER}" for sign in line)


def progress_bar(*, is_silent: bool = False) -> "Progress":
    """A progress bar on stderr; it draws nothing where stderr is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=is_silent or not console.is_terminal,
    )
