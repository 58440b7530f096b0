"""`arena tournament schedule`: tournaments that begin by themselves on a server."""

from typing import Annotated, Any

import typer

from arena.cli import options
from arena.cli.console import note, show, show_json
from arena.cli.groups import Group
from arena.cli.tables import show_table

group = typer.Typer(cls=Group, no_args_is_help=True, help="Tournaments that begin by themselves: add, list, remove.")


@group.command("add")
def add(
    name: Annotated[str, typer.Argument(help="Its tournaments are called NAME-1, NAME-2 ...", show_default=False)],
    ruleset: options.Ruleset,
    bots: Annotated[
        list[str], typer.Argument(help="Names of active bots on the server, or the one word all.", show_default=False)
    ],
    every: Annotated[
        str, typer.Option("--every", help="day, week, or days such as mon,thu.", show_default=False)
    ],
    at: Annotated[str, typer.Option("--at", help="Time of day, such as 18:30.", show_default=False)],
    zone: Annotated[str, typer.Option("--zone", help="Whose clocks: a time zone such as Africa/Accra.")] = "UTC",
    match_format: options.Format = None,
    time_control: options.TimeControl = None,
    cycles: options.Cycles = 1,
    opening_plies: options.OpeningPlies = 4,
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """Let a round robin begin again and again on a server. Missed times are made up
    for once. What is rated of it: see `arena tournament create --help`.

    \b
    Examples:
      arena tournament schedule add evening oware all --every day --at 18:30 --zone Africa/Accra
      arena tournament schedule add league omweso kofi-bot ama-bot --every mon,thu --at 09:00
    """
    body = {
        "name": name,
        "ruleset": ruleset,
        "bots": "all" if bots == ["all"] else bots,
        "every": every,
        "at": at,
        "zone": zone,
        "format": match_format,
        "time_control": time_control,
        "cycles": cycles,
        "opening_plies": opening_plies,
    }
    made = options.client(server, needs_login=True).post("/schedules", body)
    if as_json:
        show_json(made)
        return
    show(f"Schedule {made['id']} ({made['name']}, {made['ruleset']}): {_when(made)}; next {made['next_at']}")
    note("Next: `arena tournament schedule list`")


@group.command("list")
def list_schedules(
    limit: Annotated[int, typer.Option("--limit", help="How many at most.", min=1)] = 20,
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """The schedules of a server, and what kept one from beginning."""
    found = list(options.client(server).items("/schedules", limit=limit))
    if as_json:
        show_json(found)
    elif not found:
        note("No schedules. Make one: `arena tournament schedule add NAME RULESET all --every day --at 18:30`")
    else:
        columns = ("#number", "name", "ruleset", "when", "next", "owner", "problem")
        rows = [
            (one["id"], one["name"], one["ruleset"], _when(one), one["next_at"], one["owner"], one["problem"] or "")
            for one in found
        ]
        show_table("", columns, rows, may_go=("owner", "ruleset", "next"))


@group.command("remove")
def remove(
    number: Annotated[int, typer.Argument(help="The number of the schedule.", min=1, show_default=False)],
    server: options.Server = None,
) -> None:
    """End a schedule; tournaments that have begun go on."""
    options.client(server, needs_login=True).delete(f"/schedules/{number}")
    note(f"Schedule {number} has ended.")


def _when(schedule: Any) -> str:
    when = f"{schedule['every']} at {schedule['at']} {schedule['zone']}"
    return f"{when}, or when there is a new bot" if schedule["is_standing"] else when
