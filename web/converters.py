"""What may stand in a path. Anything else is no address of ours (404), so services never see a wild name or number."""

from collections.abc import Mapping
from typing import Any, ClassVar

from flask import Flask
from werkzeug.routing import BaseConverter

from arena.services.names import NAME_PATTERN


class NameConverter(BaseConverter):
    """A bot's name."""

    regex = NAME_PATTERN
    schema: ClassVar[Mapping[str, Any]] = {"type": "string", "pattern": f"^{NAME_PATTERN}$"}


class IdConverter(BaseConverter):
    """A row's number, small enough for every database."""

    regex = "[1-9][0-9]{0,17}"
    schema: ClassVar[Mapping[str, Any]] = {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}

    def to_python(self, value: str) -> int:
        return int(value)


class NumberConverter(IdConverter):
    """A version's number, or a game's place in its match."""

    regex = "[1-9][0-9]{0,8}"
    schema: ClassVar[Mapping[str, Any]] = {"type": "integer", "minimum": 1, "maximum": 10**9 - 1}


class RulesetConverter(BaseConverter):
    """A game with or without options, in any spelling."""

    regex = "[^/]{1,120}"
    schema: ClassVar[Mapping[str, Any]] = {"type": "string", "maxLength": 120}


def register(app: Flask) -> None:
    """Make the converters known as `<name:…>`, `<id:…>`, `<number:…>` and `<ruleset:…>`."""
    app.url_map.converters.update(name=NameConverter, id=IdConverter, number=NumberConverter, ruleset=RulesetConverter)
