"""`arena games`: what can be played."""

from collections.abc import Iterator
from typing import Any

import typer

from arena.cli import options
from arena.cli.console import note, show_json
from arena.cli.tables import show_table


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command()(games)


def games(as_json: options.Json = False) -> None:
    """The games there are, with their options, and the formats and time controls of matches.

    A ruleset is a game's name, with options after a colon: `oware`, `urim:pits=7,seeds=4`.
    """
    from arena import games as rules
    from arena.match.format import default_format, format_names, parse_format
    from arena.match.time_control import DEFAULT_TIME_CONTROL, PRESETS

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
        ("game", "title", "usual format", "option", "meaning"),
        [row for game in described for row in _rows(game)],
        may_go=("meaning", "title"),
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


def _rows(game: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """A line for each option; the first one says whose they are."""
    beginning: tuple[str, ...] = (game["name"], game["title"], game["default_format"])
    for option in game["options"]:
        yield (*beginning, _option_text(option), option["meaning"])
        beginning = ("", "", "")


def _option_text(option: dict[str, Any]) -> str:
    """As it is typed, and in brackets what it is when nothing is: `okwesera=true|false (true)`."""
    if "choices" in option:
        allowed = "|".join(str(choice) for choice in option["choices"])
    elif "minimum" in option:
        allowed = f"{option['minimum']}…{option['maximum']}"
        if option["kind"] == "integer_or_none":
            allowed += "|none"
    else:
        allowed = "true|false"
    return f"{option['name']}={allowed} ({_value_text(option['default'])})"


def _value_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)
