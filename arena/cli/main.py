"""The `arena` command: calls one of `commands`, and turns errors and signals into one sentence and an exit code.

0: done.  1: the thing failed.  2: what was typed cannot be done as typed.  128 + n: signal n came.  Commands import
what they need when they run, so that `arena --help` answers at once.
"""

import io
import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from arena import __version__
from arena.cli.commands import Overview
from arena.cli.console import note, show
from arena.errors import ArenaError, Invalid, InvalidPackage, Refused, RuleError, TooLarge
from arena.sandbox.stop_signals import unwinding

USAGE_ERRORS = (RuleError, Invalid, InvalidPackage, TooLarge)
WIDEST = 80                 # columns of a help text
NARROWEST = 30

app = typer.Typer(
    name="arena",
    cls=Overview,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,      # plain texts come at once, fit every width, and need no signs beyond ASCII
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Play Python bots against each other at five mancala games, in sandboxes, and rank them.\n\n"
    "Start with `arena play oware minimax random`, or with everything at once: `arena demo`.",
)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        show(f"arena {__version__}")
        raise typer.Exit


@app.callback()
def arena(
    is_version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """What is common to all commands."""


def main() -> None:
    """Run the command line; the only place that decides an exit code."""
    own_programs = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join((os.environ.get("PATH", os.defpath), own_programs))
    if sys.stdout is None:          # closed by who called us; the next file opened would get its number
        sys.exit("error: standard output is closed; send it to a file, or to /dev/null")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")    # a terminal without our signs shows a question mark
    try:
        with unwinding():
            app(prog_name="arena", terminal_width=_width())
    except ArenaError as error:
        note(f"error: {error}")
        sys.exit(exit_code(error))
    except BrokenPipeError:         # the reader of our output, such as `head`, has seen enough
        _stop_writing()
        sys.exit(1)
    except OSError as error:
        place = f"{error.filename} cannot be read or written" if error.filename else "the output cannot be written"
        note(f"error: {place}: {error.strerror or error}; make room, or give another place")
        _stop_writing()
        sys.exit(1)


def exit_code(error: ArenaError) -> int:
    """2 when what was typed is at fault, else 1; a server's refusal counts as our own error of the same code would."""
    if isinstance(error, Refused):
        return (
            2
            if error.answer_code.startswith("rules/") or error.answer_code in {kind.code for kind in USAGE_ERRORS}
            else 1
        )
    return 2 if isinstance(error, USAGE_ERRORS) else 1


def _width() -> int:
    """Columns of a help text here; two are left free."""
    return max(NARROWEST, min(shutil.get_terminal_size().columns, WIDEST) - 2)


def _stop_writing() -> None:
    """What is still to be written would fail once more when the interpreter ends, and be told as a crash."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
