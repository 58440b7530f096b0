"""`arena games` and `arena perft`: what can be played, and how many ways there are."""

import time
from typing import Annotated, Any

import typer

from arena.cli import options
from arena.cli.console import note, progress_bar, show, show_json
from arena.cli.tables import show_table
from arena.errors import UnknownOption


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command(rich_help_panel="On this machine")(games)
    app.command(rich_help_panel="On this machine")(perft)


def games(as_json: options.Json = False) -> None:
    """The games there are, with their options, and the formats and time controls of matches.

    A ruleset is a game's name, with options after a colon: `oware`, `urim:pits=7,seeds=4`.
    """
    from arena import games as rules
    from arena.match.clock import DEFAULT_TIME_CONTROL, PRESETS
    from arena.match.format import default_format, format_names, parse_format

    described: list[dict[str, Any]] = [
        {**game, "default_format": default_format(str(game["name"]))} for game in rules.describe()
    ]
    controls = {name: {"turn_ms": control.turn_ms, "bank_ms": control.bank_ms} for name, control in PRESETS.items()}
    if as_json:
        show_json(
            {
                "games": described,
                "formats": format_names(),
                "time_controls": controls,
                "default_time_control": DEFAULT_TIME_CONTROL,
            }
        )
        return
    show_table(
        "Games",
        ("game", "title", "usual format", "options"),
        [
            (game["name"], game["title"], game["default_format"], "\n".join(map(_option_text, game["options"])))
            for game in described
        ],
    )
    show_table(
        "Match formats (--format)",
        ("format", "meaning"),
        [(name, parse_format(name.replace("N", "10")).title.replace("10", "N")) for name in format_names()],
    )
    show_table(
        "Time controls (--time-control), or TURN_MS+BANK_MS",
        ("name", "#ms a turn", "#ms in the bank of a game"),
        [(name, control.turn_ms, control.bank_ms) for name, control in PRESETS.items()],
    )
    note("Next: `arena play oware minimax random --games 20`")


def perft(
    ruleset: options.Ruleset,
    depth: Annotated[int, typer.Argument(help="How many turns deep.", min=1, show_default=False)],
    is_default_bonus: Annotated[
        bool, typer.Option("--default-bonus", help="Nsolo: one bonus for each sowing, from the fullest pits.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Count the ways to play so many turns from the start of a game: a check of
    the rules, and of their speed.

    Only what the board says ends a game here, not repetition or a limit on
    length.

    \b
    Examples:
      arena perft oware 6
      arena perft urim:pits=7 5 --json
      arena perft nsolo 5 --default-bonus
    """
    from arena import games as rules
    from arena.games.perft import perft as count
    from arena.games.perft import turns, turns_with_default_bonus

    start = rules.load(ruleset).initial()
    if is_default_bonus and start.rules.name != "nsolo":
        raise UnknownOption(f"{start.rules.name} has no bonus; --default-bonus is for nsolo alone")
    turns_of = turns_with_default_bonus if is_default_bonus else turns
    counts: list[int] = []
    started = time.perf_counter()
    with progress_bar(is_silent=as_json) as bar:
        task = bar.add_task("depth", total=depth)
        for plies in range(1, depth + 1):
            counts.append(count(start, plies, turns_of))
            bar.update(task, completed=plies)
            if not as_json:             # at once: the next depth may take very long
                show(f"{plies:3} {counts[-1]:>15,}")
    seconds = time.perf_counter() - started
    if as_json:
        show_json({"ruleset": start.rules.ruleset, "depth": depth, "count": counts[-1], "by_depth": counts})
        return
    note(f"{sum(counts):,} counted in {seconds:.2f} s")


def _option_text(option: dict[str, Any]) -> str:
    if "choices" in option:
        allowed = "|".join(str(choice) for choice in option["choices"])
    elif "minimum" in option:
        allowed = f"{option['minimum']}…{option['maximum']}"
    else:
        allowed = str(option["kind"])
    return f"{option['name']}={allowed} ({option['default']})"
