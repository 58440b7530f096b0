"""The options of a ruleset: declared once; that declaration reads, checks, writes and describes them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from arena.errors import UnknownOption

OptionValue = str | int | bool | None

_SHOWN = 40                     # signs of a wrong value that an error repeats


def shown(value: object) -> str:
    """A wrong value as an error message shows it: short, and never raising."""
    try:
        text = repr(value)
    except Exception:           # a huge int, or somebody's own __repr__
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class Option(ABC):
    """One option of a game.  `meaning` says in a line, to players, what it changes."""

    kind = "option"

    def __init__(self, name: str, default: OptionValue, meaning: str) -> None:
        self.name = name
        self.default = default
        self.meaning = meaning

    def default_with(self, values: Mapping[str, OptionValue]) -> OptionValue:
        """What holds when the option is left out; `values` are those of the options declared before it."""
        return self.default

    @abstractmethod
    def accepts(self, value: object, values: Mapping[str, OptionValue]) -> bool:
        """Whether it may have this value, given those of the options declared before it."""

    def read(self, text: str) -> OptionValue:
        """The value a text stands for; text that stands for none is handed back, and not accepted."""
        return text

    def write(self, value: OptionValue) -> str:
        return str(value)

    @abstractmethod
    def valid(self, values: Mapping[str, OptionValue]) -> str:
        """The values it may have, for people."""

    def describe(self) -> dict[str, object]:
        return {"name": self.name, "kind": self.kind, "default": self.default, "meaning": self.meaning}


class Choice(Option):
    """One of a few words or numbers."""

    kind = "choice"

    def __init__(self, name: str, choices: tuple[str, ...] | tuple[int, ...], default: str | int, meaning: str) -> None:
        super().__init__(name, default, meaning)
        self.choices = choices

    def accepts(self, value: object, values: Mapping[str, OptionValue]) -> bool:
        return type(value) in (int, str) and value in self.choices

    def read(self, text: str) -> OptionValue:
        for choice in self.choices:
            if str(choice) == text:
                return choice
        return text

    def valid(self, values: Mapping[str, OptionValue]) -> str:
        return "|".join(str(choice) for choice in self.choices)

    def describe(self) -> dict[str, object]:
        return {**super().describe(), "choices": list(self.choices)}


class Switch(Option):
    """True or false."""

    kind = "boolean"

    def accepts(self, value: object, values: Mapping[str, OptionValue]) -> bool:
        return type(value) is bool

    def read(self, text: str) -> OptionValue:
        return text == "true" if text in ("true", "false") else text

    def write(self, value: OptionValue) -> str:
        return "true" if value else "false"

    def valid(self, values: Mapping[str, OptionValue]) -> str:
        return "true|false"


class Number(Option):
    """A whole number from `minimum` to `maximum`."""

    kind = "integer"

    def __init__(self, name: str, bounds: tuple[int, int], default: int, meaning: str) -> None:
        super().__init__(name, default, meaning)
        self.minimum, self.maximum = bounds

    def maximum_with(self, values: Mapping[str, OptionValue]) -> int:
        return self.maximum

    def accepts(self, value: object, values: Mapping[str, OptionValue]) -> bool:
        return type(value) is int and self.minimum <= value <= self.maximum_with(values)

    def read(self, text: str) -> OptionValue:
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else text

    def valid(self, values: Mapping[str, OptionValue]) -> str:
        return f"{self.minimum}…{self.maximum_with(values)}"

    def describe(self) -> dict[str, object]:
        return {**super().describe(), "minimum": self.minimum, "maximum": self.maximum}


class NumberOrNone(Number):
    """A whole number, or `none`: no limit."""

    kind = "integer_or_none"

    def accepts(self, value: object, values: Mapping[str, OptionValue]) -> bool:
        return value is None or super().accepts(value, values)

    def read(self, text: str) -> OptionValue:
        return None if text == "none" else super().read(text)

    def write(self, value: OptionValue) -> str:
        return "none" if value is None else str(value)

    def valid(self, values: Mapping[str, OptionValue]) -> str:
        return f"{super().valid(values)}|none"


class NumberPer(Number):
    """A whole number whose largest value, the default too, is so many times another option's value.

    `described` gives the largest value there can be, and the default that goes with the other's default.
    """

    def __init__(self, name: str, times: int, other: Number, meaning: str) -> None:
        super().__init__(name, (1, times * other.maximum), times * int(other.default or 0), meaning)
        self.times = times
        self.other = other.name

    def default_with(self, values: Mapping[str, OptionValue]) -> OptionValue:
        return self.maximum_with(values)

    def maximum_with(self, values: Mapping[str, OptionValue]) -> int:
        return self.times * int(values[self.other] or 0)

    def describe(self) -> dict[str, object]:
        return {**super().describe(), "per": {self.other: self.times}}


def complete(game: str, declared: tuple[Option, ...], given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """All option values of a game, defaults filled in; the order is the declaration's.

    Raises: UnknownOption, listing the game's options or the option's valid values.
    """
    names = [option.name for option in declared]
    for name in given:
        if name not in names:
            raise UnknownOption(f"{game} has no option {shown(name)}; its options are {listed(declared)}")
    values: dict[str, OptionValue] = {}
    for option in declared:
        value = given[option.name] if option.name in given else option.default_with(values)
        if not option.accepts(value, values):
            raise UnknownOption(
                f"{game} has no {option.name}={_plain(value)}; valid is {option.name}={option.valid(values)}"
            )
        values[option.name] = value
    return values


def listed(declared: tuple[Option, ...]) -> str:
    """The options of a game and their values, for an error message."""
    defaults = {option.name: option.default for option in declared}
    return ", ".join(f"{option.name}={option.valid(defaults)}" for option in declared)


def canonical(declared: tuple[Option, ...], values: Mapping[str, OptionValue]) -> str:
    """The options that differ from their defaults, in alphabetical order: `pits=7,seeds=4`."""
    return ",".join(
        f"{option.name}={option.write(values[option.name])}"
        for option in sorted(declared, key=lambda option: option.name)
        if values[option.name] != option.default_with(values)
    )


def _plain(value: object) -> str:
    """A wrong value as it would be written in a ruleset."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return value[:_SHOWN] if isinstance(value, str) else shown(value)
