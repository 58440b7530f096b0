"""`arena leaderboard`: who is how strong at a game."""

from typing import Annotated, Any

import typer

from arena.cli import options
from arena.cli.console import note, show, show_json
from arena.cli.paths import segment
from arena.cli.tables import show_table

MAY_GO = ("drawn", "lost", "won", "owner", "matches")      # where the screen is narrow
NOBODY = """Nobody is rated here yet. A bot is, by its first match with a bot of another owner in a tournament
that is rated: of at most two cycles, without a seed of its maker's. See `arena tournament list`."""


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command()(leaderboard)


def leaderboard(
    ruleset: Annotated[
        str | None,
        typer.Argument(help="A game, with options if any; without it, the boards there are.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="How many lines at most.", min=1)] = 20,
    around: Annotated[
        str | None, typer.Option("--around", help="The lines around this bot.", show_default=False)
    ] = None,
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """The Elo leaderboard of a ruleset.

    \b
    Examples:
      arena leaderboard oware
      arena leaderboard urim:pits=7 --around my-bot
    """
    client = options.client(server)
    if ruleset is None:
        boards = client.get("/leaderboards")["items"]
        if as_json:
            show_json(boards)
        elif boards:
            show_table("", ("ruleset", "#bots"), [(board["ruleset"], board["size"]) for board in boards])
        else:
            note("No bot is rated yet. Run a tournament: `arena tournament create NAME RULESET BOT BOT ... --start`, "
                 "with bots of at least two owners.")
        return
    board = client.get(f"/leaderboards/{segment(ruleset)}", limit=min(limit, 200), around=around)
    if as_json:
        show_json(board)
    else:
        show_board(board)


def show_board(board: Any) -> None:
    """The lines of a board, and how they are to be read."""
    title = f"{board['ruleset']}: {board['size']} rated"
    if not board["size"]:
        show(title)
        note(NOBODY)
        return
    columns = ("#rank", "bot", "owner", "#rating", "#matches", "#won", "#drawn", "#lost")
    show_table(title, columns, [_cells(line) for line in board["items"]], may_go=MAY_GO)
    if any(line["provisional"] for line in board["items"]):
        note("? provisional: fewer than 30 rated matches")
    if board["source"] != "redis":
        note("Read from the database, as Redis is away or being filled; the numbers are the same.")


def _cells(line: Any) -> tuple[object, ...]:
    bot = line["bot"] if line["version"] == 1 else f"{line['bot']} v{line['version']}"
    rating = f"{line['rating']:.0f}{'?' if line['provisional'] else ''}"
    return (
        line["rank"],
        bot,
        line["owner"],
        rating,
        line["matches"],
        line["wins"],
        line["draws"],
        line["losses"],
    )
