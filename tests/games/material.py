"""What the tests of the games share: the cases and golden games on file, and a sample of rulesets."""

import tomllib
from pathlib import Path
from typing import Any

from arena import games

HERE = Path(__file__).parent


def cases_of(game: str) -> dict[str, Any]:
    """The cases file of a game: `rulesets` (a sample of its options), `perft`, `case`."""
    return tomllib.loads((HERE / "cases" / f"{game}.toml").read_text())


def golden_of(game: str) -> list[dict[str, Any]]:
    """The recorded games of a game."""
    records: list[dict[str, Any]] = tomllib.loads((HERE / "golden" / f"{game}.toml").read_text())["game"]
    return records


def rulesets() -> list[str]:
    """A sample of rulesets of every registered game."""
    return [ruleset for game in games.names() for ruleset in cases_of(game)["rulesets"]]
