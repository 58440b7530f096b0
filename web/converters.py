"""What may stand in a path. Anything else is no address of ours (404), so services never see a wild name or number."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from flask import Flask
from werkzeug.routing import BaseConverter, Map

from arena.services.names import NAME_PATTERN


class NameConverter(BaseConverter):
    """A bot's name."""

    regex = NAME_PATTERN
    wanted = "a name: 2 to 40 of a-z, 0-9, - and _, starting with a letter"
    schema: ClassVar[Mapping[str, Any]] = {"type": "string", "pattern": f"^{NAME_PATTERN}$"}


class IdConverter(BaseConverter):
    """A row's number, small enough for every database."""

    regex = "[1-9][0-9]{0,17}"
    wanted = "a number: whole, from 1 up, of at most 18 digits"
    schema: ClassVar[Mapping[str, Any]] = {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}

    def to_python(self, value: str) -> int:
        return int(value)


class NumberConverter(IdConverter):
    """A version's number, or a game's place in its match."""

    regex = "[1-9][0-9]{0,8}"
    wanted = "a number: whole, from 1 up, of at most 9 digits"
    schema: ClassVar[Mapping[str, Any]] = {"type": "integer", "minimum": 1, "maximum": 10**9 - 1}


class RulesetConverter(BaseConverter):
    """A game with or without options, in any spelling."""

    regex = "[^/]{1,120}"
    wanted = "a ruleset: a game, perhaps with options, of at most 120 characters"
    schema: ClassVar[Mapping[str, Any]] = {"type": "string", "maxLength": 120}


class SeatConverter(BaseConverter):
    """Which bot of a match."""

    regex = "first|second"
    wanted = "a seat: first or second"
    schema: ClassVar[Mapping[str, Any]] = {"type": "string", "enum": ["first", "second"]}


CONVERTERS: Mapping[str, type[BaseConverter]] = {
    "name": NameConverter, "id": IdConverter, "number": NumberConverter, "ruleset": RulesetConverter,
    "seat": SeatConverter,
}
_VARIABLE = re.compile(r"<(\w+):\w+>")


def misfit(routes: Map, path: str) -> str | None:
    """What keeps a path from being an address of ours, if it is but one step; None when more does."""
    steps = path.split("/")
    found = (_misfits(rule.rule.split("/"), steps) for rule in routes.iter_rules())
    return next((wrong[0] for wrong in found if wrong is not None and len(wrong) == 1), None)


def _misfits(wanted: list[str], steps: list[str]) -> list[str] | None:
    """What is wrong with the steps that may vary; None when the path is of another form."""
    if len(wanted) != len(steps):
        return None
    wrong = []
    for pattern, step in zip(wanted, steps, strict=True):
        variable = _VARIABLE.fullmatch(pattern)
        kind = CONVERTERS.get(variable[1]) if variable else None
        if kind is None and pattern != step:
            return None
        if kind is not None and not re.fullmatch(kind.regex, step):
            wrong.append(f"{ascii(step)[:40]} is not {kind.wanted}")        # type: ignore[attr-defined]
    return wrong


def register(app: Flask) -> None:
    """Make the converters known by their names: `<name:…>`, `<id:…>` …."""
    app.url_map.converters.update(CONVERTERS)
