"""`arena tournament`: run one here, or create and follow one on a server."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import crosstable, live, local_tournament, options, schedules
from arena.cli.console import note, progress_bar, show, show_json
from arena.cli.groups import Group
from arena.cli.tables import show_table

if TYPE_CHECKING:
    from arena.cli.client import Client

Which = Annotated[
    str,
    typer.Argument(metavar="TOURNAMENT", help="Its number or its name, as `list` shows them.", show_default=False),
]

MOST_DIGITS = 18            # of a number, as the server reads them
NEXT_STEP = {"created": "start", "running": "watch", "paused": "start", "finished": "show", "cancelled": "show"}

group = typer.Typer(
    cls=Group, no_args_is_help=True, help="Round robins: here (`run`), or on a server (`create`, `start`, `watch` ...)."
)


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.add_typer(group, name="tournament")


group.command("run")(local_tournament.run)
group.add_typer(schedules.group, name="schedule")


@group.command("create")
def create(
    name: Annotated[str, typer.Argument(help="A name for it.", show_default=False)],
    ruleset: options.Ruleset,
    bots: Annotated[
        list[str], typer.Argument(help="Names of active bots on the server, or the one word all.", show_default=False)
    ],
    match_format: options.Format = None,
    time_control: options.TimeControl = None,
    cycles: options.Cycles = 1,
    opening_plies: options.OpeningPlies = 4,
    seed: options.Seed = None,
    is_started: Annotated[bool, typer.Option("--start", help="Start it at once, and watch it.")] = False,
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """Create a round robin on a server. Nothing is played before it is started.

    Its matches change ratings, but for those between two bots of one owner. With
    --seed, or with more than two cycles, none of them does.

    \b
    Examples:
      arena tournament create winter oware kofi-bot arena-greedy-oware --start
      arena tournament create open omweso all
    """
    client = options.client(server, needs_login=True)
    made = client.post(
        "/tournaments",
        {
            "name": name,
            "ruleset": ruleset,
            "bots": "all" if bots == ["all"] else bots,
            "format": match_format,
            "time_control": time_control,
            "cycles": cycles,
            "opening_plies": opening_plies,
            "seed": seed,
        },
    )
    if is_started:
        made = client.post(f"/tournaments/{made['id']}/start")
    if is_started and not as_json:
        _follow(client, made["id"])
        return
    _answer(made, as_json=as_json)


@group.command("start")
def start(which: Which, server: options.Server = None, as_json: options.Json = False) -> None:
    """Start a tournament, or let a paused one go on."""
    _act(which, "start", server, as_json=as_json)


@group.command("pause")
def pause(which: Which, server: options.Server = None, as_json: options.Json = False) -> None:
    """Let no further match begin; `start` goes on."""
    _act(which, "pause", server, as_json=as_json)


@group.command("cancel")
def cancel(which: Which, server: options.Server = None, as_json: options.Json = False) -> None:
    """End a tournament now; finished matches count, the others are void."""
    _act(which, "cancel", server, as_json=as_json)


@group.command("withdraw")
def withdraw(
    which: Which,
    bot: Annotated[str, typer.Argument(help="The bot that leaves.", show_default=False)],
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """Take a bot out of a tournament."""
    _act(which, "withdraw", server, as_json=as_json, body={"bot": bot})


@group.command("rerun")
def rerun(which: Which, server: options.Server = None, as_json: options.Json = False) -> None:
    """Play the void matches of a tournament once more."""
    client = options.client(server, needs_login=True)
    number = _number(client, which)
    before = client.get(f"/tournaments/{number}")["void"]
    answer = client.post(f"/tournaments/{number}/rerun-void")
    _answer(answer, as_json=as_json)
    if not before:
        note("No match of it is void.")
    elif answer["void"] == before:
        note("Its void matches stay void: they are those of bots that were withdrawn.")


@group.command("watch")
def watch(which: Which, server: options.Server = None) -> None:
    """Follow a tournament to its end, then show the crosstable. Ctrl-C stops the watching, not the tournament."""
    from arena.errors import Conflict

    client = options.client(server)
    number = _number(client, which)
    found = client.get(f"/tournaments/{number}")
    if found["state"] == "created":
        raise Conflict(f"tournament {number} has not been started. Run `arena tournament start {number}`.")
    if found["state"] == "paused":
        note(f"Tournament {number} is paused; `arena tournament start {number}` lets it go on.")
    _follow(client, number)


@group.command("show")
def show_tournament(which: Which, server: options.Server = None, as_json: options.Json = False) -> None:
    """How far a tournament is, and its crosstable."""
    client = options.client(server)
    number = _number(client, which)
    found = client.get(f"/tournaments/{number}")
    if as_json:
        show_json(
            {
                **found,
                "standings": client.get(f"/tournaments/{number}/standings")["items"],
                "crosstable": client.get(f"/tournaments/{number}/crosstable"),
            }
        )
    else:
        _show_tables(client, found)
        show(f"Seed: {found['seed'] or 'secret until the end'}; its SHA-256: {found['seed_hash']}")


@group.command("list")
def list_tournaments(
    limit: Annotated[int, typer.Option("--limit", help="How many at most.", min=1)] = 20,
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """The tournaments of a server, the newest first."""
    found = list(options.client(server).items("/tournaments", limit=limit))
    if as_json:
        show_json(found)
    elif not found:
        note("No tournaments. Create one: `arena tournament create NAME RULESET BOT BOT ... --start`")
    else:
        show_table(
            "",
            ("#number", "name", "ruleset", "state", "matches", "owner"),
            [(one["id"], one["name"], one["ruleset"], one["state"], _played(one), one["owner"]) for one in found],
            may_go=("owner", "ruleset", "matches"),
        )


@group.command("matches")
def list_matches(
    which: Which,
    limit: Annotated[int, typer.Option("--limit", help="How many at most.", min=1)] = 50,
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """The matches of a tournament so far; look at one with `arena match`."""
    client = options.client(server)
    found = list(client.items(f"/tournaments/{_number(client, which)}/matches", limit=limit))
    if as_json:
        show_json(found)
        return
    columns = ("#match", "first", "second", "state", "winner", "points")
    show_table("", columns, [_match_cells(match) for match in found], may_go=("state", "winner"))
    note("Next: `arena match NUMBER --record` shows every move.")


def _match_cells(match: Any) -> tuple[object, ...]:
    names = (match["first"]["name"], match["second"]["name"])
    winner = "" if match["winner"] is None else names[match["winner"]]
    return (match["id"], *names, match["state"], winner, " : ".join(match["points"] or []))


def _number(client: "Client", which: str) -> int:
    """The number of a tournament that somebody named, by it or otherwise; no name begins with a digit."""
    from arena.errors import Invalid, NotFound

    if which.isascii() and which.isdigit():
        if len(which) > MOST_DIGITS or int(which) == 0:
            raise Invalid(f"{which[:30]!r} is no number of a tournament; `arena tournament list` shows those there are")
        return int(which)
    found = client.get("/tournaments", name=which)["items"]
    if not found:
        raise NotFound(f"no tournament is called {which!r}; `arena tournament list` shows those there are")
    return int(found[0]["id"])


def _act(which: str, verb: str, server: str | None, *, as_json: bool, body: dict[str, object] | None = None) -> None:
    client = options.client(server, needs_login=True)
    answer = client.post(f"/tournaments/{_number(client, which)}/{verb}", body)
    _answer(answer, as_json=as_json)


def _answer(tournament: Any, *, as_json: bool) -> None:
    if as_json:
        show_json(tournament)
        return
    show(_line(tournament))
    _explain_rating(tournament)
    note(f"Next: `arena tournament {NEXT_STEP[tournament['state']]} {tournament['id']}`")


def _explain_rating(tournament: Any) -> None:
    if tournament.get("rating_note"):           # of which an older server says nothing
        note(tournament["rating_note"])


def _follow(client: "Client", number: int) -> None:
    """Wait for the end with a progress bar, or with a line whenever a quarter is done where there is no terminal."""
    tournament = follow(client, number)
    _show_tables(client, tournament)
    if tournament["is_rated"]:
        note(f"Next: `arena leaderboard {tournament['ruleset']}`")


def follow(client: "Client", number: int) -> Any:
    """The tournament once it has ended; shows its progress meanwhile.  A paused one is waited for."""
    with progress_bar() as bar:
        task = bar.add_task(f"tournament {number}", total=None)
        said = -1
        for tournament in live.moments(client, number):
            done, whole = tournament["finished"] + tournament["void"], tournament["match_count"]
            told = f"{tournament['name']} ({tournament['state']})"
            bar.update(task, completed=done, total=whole, description=told)
            quarter = 4 * done // max(1, whole)
            if bar.disable and quarter != said:
                said = quarter
                note(_line(tournament))
    return tournament


def _show_tables(client: "Client", tournament: Any) -> None:
    show(_line(tournament))
    _explain_rating(tournament)
    crosstable.show_from_server(client, tournament["id"])


def _line(tournament: Any) -> str:
    how = f"{tournament['ruleset']}, {tournament['format']}" + ("" if tournament["is_rated"] else ", not rated")
    played = f"{tournament['state']}, {_played(tournament)} matches"
    return f"Tournament {tournament['id']} ({tournament['name']}, {how}): {played}"


def _played(tournament: Any) -> str:
    void = f", {tournament['void']} void" if tournament["void"] else ""
    return f"{tournament['finished']} of {tournament['match_count']}{void}"
