"""`arena up`: everything on this machine, until Ctrl-C."""

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command(rich_help_panel="A server of your own")(up)


def up(
    port: Annotated[
        int | None,
        typer.Option(
            "--port", help="Port of the site (default: 8000, or a free one).", min=1, max=65535, show_default=False
        ),
    ] = None,
    folder: Annotated[Path, typer.Option("--data", help="Where the database and the queue are kept.")] = Path(".arena"),
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", help="Matches at once (default: one a processor).", min=1, max=256, show_default=False
        ),
    ] = None,
) -> None:
    """Run an arena on this machine, for this machine: site, queue, workers and
    database. Ctrl-C stops it all.

    \b
    Examples:
      arena up
      arena up --port 9000 --data ~/arena --workers 4
    """
