"""Options and arguments that several commands share, so that they are called and explained the same everywhere."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from arena.cli.client import Client

Ruleset = Annotated[
    str,
    typer.Argument(help="A game, with options if you like: oware, urim:pits=7. See `arena games`.", show_default=False),
]
Server = Annotated[
    str | None,
    typer.Option(
        "--server", help="Address of the arena; else ARENA_SERVER, else the one of your last login.", show_default=False
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="How games make a match: best-of-5, best-of-3, antigua, yoruba, kumasi, games-N, points-N (default: the "
        "game's own; see `arena games`).",
        show_default=False,
    ),
]
TimeControl = Annotated[
    str | None,
    typer.Option(
        "--time-control",
        help="quick (100+2000), standard (1000+30000), blitz (3000+0), bullet (20+1000), or TURN_MS+BANK_MS: 1 to "
        "60000 ms a turn and 0 to 600000 ms more a game (default: quick).",
        show_default=False,
    ),
]
Seed = Annotated[
    str | None,
    typer.Option(
        "--seed",
        help="Same seed, same openings and same luck of the bots. Any text, or the 64 hex digits of an earlier match "
        "(default: drawn, and told).",
        show_default=False,
    ),
]
Bots = Annotated[
    list[str],
    typer.Argument(help="Files (.py or .zip), or names of shipped bots: random, greedy, minimax.", show_default=False),
]

OpeningPlies = Annotated[
    int,
    typer.Option("--opening-plies", help="Random turns at the start of each pair of games, at most 20.", min=0),
]
Cycles = Annotated[int, typer.Option("--cycles", help="How often every pair meets, at most 100.", min=1, max=100)]
DataDir = Annotated[
    Path,
    typer.Option("--data", help="The folder of the arena: database, queue, logs.", envvar="ARENA_DATA_DIR"),
]
DATA_DIR = Path(".arena")       # in the folder one stands in, where --data names no other
Unsafe = Annotated[bool, typer.Option("--unsafe", help="Run the bots without the sandbox: only for bots you trust.")]


def client(server: str | None, *, needs_login: bool = False) -> "Client":
    """The client for the server in use; raises `Unauthenticated` before anything is sent when a login is needed."""
    from arena.cli import profile
    from arena.cli.client import Client
    from arena.errors import Unauthenticated

    who = profile.current(server)
    if needs_login and not who.token:
        raise Unauthenticated(profile.not_signed_in(who.server))
    return Client(who.server, who.token)
