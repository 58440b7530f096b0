"""`arena doctor`: is this machine fit to run bots?"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import options
from arena.cli.console import note, show, show_json

if TYPE_CHECKING:
    from arena.sandbox.doctor import Report


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command(rich_help_panel="On this machine")(doctor)


def doctor(
    with_attacks: Annotated[
        bool, typer.Option("--attacks", help="Also let hostile bots try, each of which must fail.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Prove that the sandbox holds here, layer by layer, and that the programs the arena needs are there.

    Ends with 0 when bots may run here, else with 1, and says what to do.
    """
