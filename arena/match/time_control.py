"""Time controls: how long a bot may think, by name or by number."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from arena.errors import UnknownFormat

MAX_TURN_MS = 60_000
MAX_BANK_MS = 600_000


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time for every turn, and a bank for a whole game that pays for what goes beyond it.

    >>> str(TimeControl(100, 2000)), str(TimeControl(250, 0))
    ('quick', '250+0')
    """

    turn_ms: int
    bank_ms: int

    def __str__(self) -> str:
        return next((name for name, preset in PRESETS.items() if preset == self), f"{self.turn_ms}+{self.bank_ms}")


PRESETS: Mapping[str, TimeControl] = MappingProxyType(
    {
        "quick": TimeControl(100, 2_000),
        "standard": TimeControl(1_000, 30_000),
        "blitz": TimeControl(3_000, 0),         # Omweso's ekyobutabala, three seconds a move [four-row O11]
        "bullet": TimeControl(20, 1_000),
    }
)
DEFAULT_TIME_CONTROL = "quick"


def parse_time_control(text: str) -> TimeControl:
    """The time control of that name, or of that form `turn+bank` in milliseconds.

    >>> parse_time_control("250+1000")
    TimeControl(turn_ms=250, bank_ms=1000)
    """
    if text in PRESETS:
        return PRESETS[text]
    turn, plus, bank = text.partition("+")
    if plus and _is_number(turn) and _is_number(bank):
        control = TimeControl(int(turn), int(bank))
        if 1 <= control.turn_ms <= MAX_TURN_MS and control.bank_ms <= MAX_BANK_MS:
            return control
    raise UnknownFormat(
        f"there is no time control {text[:40]!r}; take one of {', '.join(PRESETS)}, or write TURN+BANK in milliseconds "
        f"such as 250+1000 (turn 1 to {MAX_TURN_MS}, bank 0 to {MAX_BANK_MS})"
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6 and str(int(text)) == text
