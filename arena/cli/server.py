"""`arena up`: everything on this machine, until Ctrl-C."""

import os
from typing import Annotated

import typer

from arena.cli.console import note
from arena.cli.options import DATA_DIR, DataDir


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command()(up)


def up(
    port: Annotated[int, typer.Option("--port", help="First choice for the site's port.", min=1, max=65535)] = 8000,
    folder: DataDir = DATA_DIR,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", help="Matches at once (default: one a processor).", min=1, max=256, show_default=False
        ),
    ] = None,
    is_standing: Annotated[
        bool,
        typer.Option(
            "--standing/--no-standing",
            help="Reference bots, and a round robin of each game that begins when there is a new bot.",
            envvar="ARENA_STANDING_TOURNAMENTS",
            show_envvar=False,
        ),
    ] = True,
) -> None:
    """Run an arena on this machine, for this machine: site, queue, workers and
    database. Ctrl-C stops it all.

    \b
    Examples:
      arena up
      arena up --port 9000 --data ~/arena --workers 4
    """
    from arena.cli.stack import Plan, run

    run(Plan(folder, port, workers or len(os.sched_getaffinity(0)), is_standing), note)
