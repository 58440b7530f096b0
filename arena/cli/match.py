"""`arena match`: look at a match that a server has played."""

from typing import Annotated, Any

import typer

from arena.cli import options
from arena.cli.console import note, show, show_json
from arena.cli.tables import show_table


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command()(match)


def match(
    number: Annotated[int, typer.Argument(help="The number of the match.", min=1, show_default=False)],
    is_record: Annotated[bool, typer.Option("--record", help="Every move of every game, as text.")] = False,
    is_timing: Annotated[bool, typer.Option("--timing", help="Where each bot's time went: the slowest turns.")] = False,
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """One match: who played, how it ended; with --record every move, with --timing every bot's time.

    \b
    Examples:
      arena match 12
      arena match 12 --record
      arena match 12 --record --json > match-12.json
      arena match 12 --timing
    """
    client = options.client(server)
    if is_record and is_timing:
        raise typer.BadParameter("show the record or the timing; --record --json has the times of every turn too")
    if is_timing:
        _tell_timing(client.record(number), as_json)
    elif is_record and as_json:
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
        show(f"void: {str(found['void_reason']).rstrip('.')}. It counts for nobody.")
    else:
        show(f"{found['state']}" + (f", at ply {found['ply']}" if found["ply"] else ""))


def _tell_timing(record: Any, as_json: bool) -> None:
    from arena.cli.timing import by_bot, milliseconds, slowest

    bots = by_bot(record)
    if as_json:
        show_json({"time_control": record["time_control"], "bots": bots})
        return
    figures = ("longest_ms", "charged_ms", "wall_ms", "cpu_ms", "waited_ms")
    show_table(
        f"Time under {record['time_control']}, in milliseconds",
        ("bot", "#turns", "#longest", "#charged", "#wall", "#CPU", "#waited"),
        [(bot["bot"], bot["turns"], *(f"{bot[figure]:.1f}" for figure in figures)) for bot in bots],
    )
    show_table(
        "The slowest turns",
        ("#game", "#turn", "bot", "#charged", "#wall", "#CPU", "#waited"),
        [(turn.game, turn.ply, bots[turn.seat]["bot"],
          *map(milliseconds, (turn.charged, turn.wall, turn.cpu, turn.waited))) for turn in slowest(record)],
    )
    note("charged = wall - waited: a bot pays for computing and sleeping, never for waiting until the machine had a "
         "processor for it.")
