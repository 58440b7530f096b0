"""The `arena` command: puts the nouns together and turns errors into one sentence and an exit code.

0: done.  1: the thing failed.  2: what was typed cannot be done as typed.  Commands import what they need when they
run, so that `arena --help` answers at once.
"""

import os
import sys
from pathlib import Path

import typer

from arena.cli import account, admin, bots, demo, doctor, games, leaderboard, match, play, server, tournament, verify
from arena.cli.console import note
from arena.errors import ArenaError, Invalid, InvalidPackage, Refused, RuleError, TooLarge

USAGE_ERRORS = (RuleError, Invalid, InvalidPackage, TooLarge)

app = typer.Typer(
    name="arena",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Play Python bots against each other at five mancala games, in sandboxes, and rank them.\n\n"
    "Start with `arena play oware minimax random`, or with everything at once: `arena demo`.",
)
for noun in (play, games, verify, tournament, account, bots, leaderboard, match, server, demo, doctor, admin):
    noun.add_to(app)


def main() -> None:
    """Run the command line; the only place that decides an exit code."""
    own_programs = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join((os.environ.get("PATH", os.defpath), own_programs))
    try:
        app(prog_name="arena")
    except ArenaError as error:
        note(f"error: {error}")
        sys.exit(exit_code(error))
    except BrokenPipeError:  # the reader of our output, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
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
