"""`arena match`: look at a match that a server has played."""

from typing import Annotated, Any

import typer

from arena.cli import options
from arena.cli.console import show, show_json


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command(rich_help_panel="A server's client")(match)


def match(
    number: Annotated[int, typer.Argument(help="The number of the match.", min=1, show_default=False)],
    is_record: Annotated[bool, typer.Option("--record", help="Every move of every game, as text.")] = False,
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """One match: who played, how it ended; with --record every move.

    \b
    Examples:
      arena match 12
      arena match 12 --record
      arena match 12 --record --json > match-12.json
    """
    client = options.client(server)
    if is_record and as_json:
        show_json(client.record(number))
    elif is_record:
        show(client.text(f"/matches/{number}/record").rstrip())
    else:
        found = client.get(f"/matches/{number}")
        if as_json:
            show_json(found)
        else:
            _tell(found)


def _tell(found: Any) -> None:
    second = found["second"]["name"] if found["second"] else "the reference bot"
    show(
        f"Match {found['id']}: {found['first']['name']} against {second}, {found['ruleset']}, {found['format']}, "
        f"{found['time_control']}"
    )
    if found["state"] == "finished":
        winner = "drawn" if found["winner"] is None else f"won by {(found['first']['name'], second)[found['winner']]}"
        show(
            f"{winner}, {found['points'][0]} to {found['points'][1]} in {found['games']} games. "
            f"Every move: `arena match {found['id']} --record`"
        )
    elif found["state"] == "void":
        show(f"void, by our fault: {found['void_reason']}. It counts for nobody.")
    else:
        show(f"{found['state']}" + (f", at ply {found['ply']}" if found["ply"] else ""))
