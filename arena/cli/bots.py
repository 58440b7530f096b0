"""`arena submit` and `arena bots`: send a bot to a server, and look after it there."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import options
from arena.cli.console import note, quoted, show, show_json
from arena.cli.failures import show_failures
from arena.cli.groups import Group
from arena.cli.paths import segment
from arena.cli.tables import show_table

if TYPE_CHECKING:
    from arena.cli.client import Client, Version

POLL_SECONDS = 0.3
LOG_LINES = 15
Name = Annotated[str, typer.Argument(help="Name of a bot on the server.", show_default=False)]

group = typer.Typer(
    cls=Group, no_args_is_help=True, help="Bots on a server: list, show, log, failures, ratings, open, close, retire."
)


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command()(submit)
    group.command("failures")(show_failures)
    app.add_typer(group, name="bots")


def submit(
    file: Annotated[
        Path, typer.Argument(help="The bot: a .py file, or a .zip with bot.py at its root.", show_default=False)
    ],
    game: Annotated[
        str | None, typer.Option("--game", help="The game it plays; needed for a new bot.", show_default=False)
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Its name there (default: the file's).", show_default=False)
    ] = None,
    server: options.Server = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Do not wait for the qualification.")] = False,
    as_json: options.Json = False,
) -> None:
    """Submit a bot, or a new version of your bot, and wait for its
    qualification.

    The server loads it in its sandbox and plays a game as South and one as
    North against a random bot. A bot that qualifies is active, and can enter
    tournaments. Ends with 1 when the bot is rejected, and shows why.

    \b
    Examples:
      arena submit my_bot.py --game oware
      arena submit my_bot.zip --name kofi-deep --game omweso
    """
    from arena.cli.local import read_package
    from arena.errors import Invalid

    if name == "":
        raise Invalid("--name is empty; give a name, or leave it out to take the file's")
    package = read_package(file)
    client = options.client(server, needs_login=True)
    version = _send(client, name or _name_from(file), game, (file.name, package))
    if not no_wait:
        version = wait_for_verdict(client, version["bot"], version["number"])
    if as_json:
        show_json(version)
    else:
        _tell(client, version)
    if version["state"] in ("rejected", "unchecked"):
        raise typer.Exit(1)


def wait_for_verdict(client: "Client", bot: str, number: int) -> "Version":
    """The version, once its qualification is over."""
    import time

    while True:
        version: Version = client.get(f"/bots/{segment(bot)}/versions/{number}")
        if version["state"] != "checking":
            return version
        time.sleep(POLL_SECONDS)


@group.command("list")
def list_bots(
    owner: Annotated[str | None, typer.Option("--owner", help="Only this user's.", show_default=False)] = None,
    game: Annotated[
        str | None, typer.Option("--game", help="Only those that play this game.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="How many at most.", min=1)] = 50,
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """The bots of a server."""
    found = list(options.client(server).items("/bots", limit=limit, owner=owner, game=game))
    if as_json:
        show_json(found)
    elif not found:
        note("No bots. Submit one: `arena submit my_bot.py --game oware`")
    else:
        show_table(
            "",
            ("bot", "game", "owner", "#active version", "#latest"),
            [
                (bot["name"], bot["game"], bot["owner"], bot["active_version"] or "-", bot["latest_version"])
                for bot in found
            ],
            may_go=("latest", "owner", "active version", "game"),
        )


@group.command("show")
def show_bot(name: Name, server: options.Server = None, as_json: options.Json = False) -> None:
    """One bot, its versions, and what the qualification said of each."""
    client = options.client(server)
    bot = client.get(f"/bots/{segment(name)}")
    versions = list(client.items(f"/bots/{segment(name)}/versions"))
    if as_json:
        show_json({**bot, "versions": versions})
        return
    show(f"{bot['name']} plays {bot['game']} and belongs to {bot['owner']}{_standing(bot)}")
    show_table(
        "",
        ("#version", "state", "#import ms", "why"),
        [(one["number"], one["state"], one["import_ms"], _fault(one)) for one in versions],
        may_go=("import ms",),
    )


@group.command("log")
def show_log(
    name: Name,
    version: Annotated[
        int | None, typer.Option("--version", help="Which version (default: the latest).", min=1)
    ] = None,
    match: Annotated[
        int | None, typer.Option("--match", help="In this match of it instead.", min=1, show_default=False)
    ] = None,
    server: options.Server = None,
) -> None:
    """What your bot printed while it was qualified, or in a match.

    \b
    Examples:
      arena bots log kofi-bot
      arena bots log kofi-bot --match 12
    """
    client = options.client(server, needs_login=True)
    if match is not None:
        show(client.text(f"/matches/{match}/logs/{_seat(client, match, name)}"))
        return
    number = version or client.get(f"/bots/{segment(name)}")["latest_version"]
    show(_log(client, name, number))


@group.command("ratings")
def show_ratings(
    name: Name,
    ruleset: Annotated[
        str | None,
        typer.Option("--ruleset", help="In which ruleset (default: its game's own options).", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="How many at most.", min=1)] = 20,
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """How a bot came to its rating: each change, the newest first, with the match that made it."""
    found = list(options.client(server).items(f"/bots/{segment(name)}/ratings", limit=limit, ruleset=ruleset))
    if as_json:
        show_json(found)
    elif not found:
        note(f"{name} has no rated match yet. When one is rated: `arena tournament create --help`")
    else:
        columns = ("#match", "#version", "opponent", "#score", "#expected", "#K", "#before", "#after")
        may_go = ("K", "version", "expected", "before")
        show_table("", columns, [_rating_cells(change) for change in found], may_go=may_go)


@group.command("open")
def open_bot(name: Name, server: options.Server = None) -> None:
    """Let other people's tournaments enter your bot."""
    _set_open(name, server, is_open=True)
    note(f"{name} is open: everybody's tournaments may enter it.")


@group.command("close")
def close_bot(name: Name, server: options.Server = None) -> None:
    """Keep your bot out of other people's tournaments; those that have begun go on."""
    _set_open(name, server, is_open=False)
    note(f"{name} is closed: only your own tournaments may enter it.")


@group.command("retire")
def retire(name: Name, server: options.Server = None) -> None:
    """Take your bot out of the arena; what it has played stays."""
    options.client(server, needs_login=True).delete(f"/bots/{segment(name)}")
    note(f"{name} is retired: it enters no further tournament.")


def _send(client: "Client", name: str, game: str | None, package: tuple[str, bytes]) -> "Version":
    """A new version where the bot is there and ours, else a new bot."""
    from arena.errors import Conflict, Invalid, NameTaken, Refused

    me = client.get("/me")["name"]
    try:
        there = client.get(f"/bots/{segment(name)}")
    except Refused as refused:
        if refused.status != 404:
            raise
        there = None
    if there is not None:
        if there["owner"] != me:
            raise NameTaken(f"{name} belongs to {there['owner']}, and you are {me}; choose another --name.")
        if game is not None and game.partition(":")[0] != there["game"]:
            raise Conflict(
                f"your bot {name} plays {there['game']}, not {game}. For another game, choose another --name."
            )
        return client.submit_version(name, package)
    if game is None:
        raise Invalid(
            f"{name} is a new bot: say which game it plays, such as `--game oware` (see `arena games`).", field="game"
        )
    bot = client.submit(name, game, package)
    first: Version = client.get(f"/bots/{bot['name']}/versions/{bot['latest_version']}")
    return first


def _set_open(name: str, server: str | None, *, is_open: bool) -> None:
    options.client(server, needs_login=True).change(f"/bots/{segment(name)}", {"is_open": is_open})


def _seat(client: "Client", match: int, name: str) -> str:
    """Where the bot sits in the match, as the path of its log calls it."""
    from arena.errors import Invalid

    found = client.get(f"/matches/{match}")
    seats = {seat: (found[seat] or {}).get("name") for seat in ("first", "second")}
    for seat, bot in seats.items():
        if bot == name:
            return seat
    played = " and ".join(bot for bot in seats.values() if bot)
    raise Invalid(f"{name} does not play in match {match}; it is one of {played}", field="match")


def _rating_cells(change: Any) -> tuple[object, ...]:
    if change["kind"] == "inherit":
        taken_over = ("its version before", "", "", "")
        return (change["match_id"], change["version"], *taken_over, *_shown(change))
    opponent = f"{change['opponent']} ({change['opponent_before']:.0f})"
    how = (opponent, change["score"], f"{change['expected']:.2f}", change["k"])
    return (change["match_id"], change["version"], *how, *_shown(change))


def _shown(change: Any) -> tuple[str, str]:
    return f"{change['before']:.0f}", f"{change['after']:.0f}"


def _name_from(file: Path) -> str:
    return file.stem.lower().replace(" ", "-")


def _tell(client: "Client", version: "Version") -> None:
    name = f"{version['bot']} version {version['number']}"
    match version["state"]:
        case "active":
            show(f"{name} is active (imported in {version['import_ms']} ms).")
            note("Next: `arena tournament create NAME RULESET BOT BOT ... --start`")
        case "rejected":
            show(f"{name} was rejected: {_fault(version)}")
            if printed := _log(client, version["bot"], version["number"]).strip():
                note(f"It printed last:\n{quoted(printed, LOG_LINES)}")
            note("Try it here first: `arena play RULESET YOUR_FILE random`, then submit again.")
        case "parked":
            show(f"{name} is parked: {_fault(version)}")
        case "unchecked":
            show(f"{name} could not be checked, by our fault: {_fault(version)}. The server tries again.")
        case _:
            show(f"{name} is being checked; see `arena bots show {version['bot']}`.")


def _standing(bot: Any) -> str:
    if bot["banned_at"] or bot["retired_at"]:
        return ", banned" if bot["banned_at"] else ", retired"
    return "" if bot["is_open"] else "; closed to other people's tournaments"


def _fault(version: Any) -> str:
    return ": ".join(part for part in (version["fault_kind"], version["fault_message"]) if part)


def _log(client: "Client", bot: str, number: int) -> str:
    return client.text(f"/bots/{segment(bot)}/versions/{number}/log")
