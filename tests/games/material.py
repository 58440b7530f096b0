"""What the tests of the games share: the cases and golden games on file, and a sample of rulesets."""

import tomllib
from pathlib import Path
from typing import Any

from arena import games

HERE = Path(__file__).parent


def cases_of(game: str) -> dict[str, Any]:
    """The cases file of a game: `rulesets` (a sample of its options), `perft`, `case`."""
    return _read("cases", game) or {"rulesets": [game], "perft": [], "case": []}


def golden_of(game: str) -> list[dict[str, Any]]:
    """The recorded games of a game."""
    records: list[dict[str, Any]] = _read("golden", game).get("game", [])
    return records


def _read(folder: str, game: str) -> dict[str, Any]:
    """The file, or {}: that one is missing is for `test_completeness.py` alone to say."""
    path = HERE / folder / f"{game}.toml"
    return tomllib.loads(path.read_text()) if path.exists() else {}


def rulesets() -> list[str]:
    """A sample of rulesets of every registered game."""
    return [ruleset for game in games.names() for ruleset in cases_of(game)["rulesets"]]
