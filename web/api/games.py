"""What can be played."""

from typing import Any

from arena import games
from arena.match.format import HIGHEST_TARGET, LONGEST_SERIES, default_format, format_names, parse_format
from arena.match.time_control import DEFAULT_TIME_CONTROL, PRESETS
from web.api.blueprint import Noun
from web.api.schemas.games import GamesAnswer

blueprint = Noun("games", "Rulesets, options, match formats, time controls.")

OPEN_FORMATS = {
    "points-N": {"title": "first to N points", "minimum": 1, "maximum": HIGHEST_TARGET},
    "games-N": {"title": "N games, most points", "minimum": 1, "maximum": LONGEST_SERIES},
}


@blueprint.get("/games")
@blueprint.response(200, GamesAnswer)
def list_games() -> dict[str, Any]:
    """Every game with its options, every match format, every time control."""
    return {
        "items": [{**game, "default_format": default_format(str(game["name"]))} for game in games.describe()],
        "formats": [_format(name) for name in format_names()],
        "time_controls": [
            {
                "name": name,
                "turn_ms": control.turn_ms,
                "bank_ms": control.bank_ms,
                "is_default": name == DEFAULT_TIME_CONTROL,
            }
            for name, control in PRESETS.items()
        ],
    }


def _format(name: str) -> dict[str, Any]:
    return {"name": name, **(OPEN_FORMATS.get(name) or {"title": parse_format(name).title})}
