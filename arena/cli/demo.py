"""`arena demo`."""

import typer


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
