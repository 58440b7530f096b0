"""Time controls, and the clock of one game.  It is told what to charge; nothing here measures time."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from arena.errors import BotTimeout, UnknownFormat

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


class ClockView(NamedTuple):
    """What a bot sees: what is left of this turn and of the bank, and what its last answer was charged."""

    turn_ms: float
    bank_ms: float
    last_charged_ms: float


class Clock:
    """Both sides' time in one game, in whole microseconds."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.bank_us = [control.bank_ms * 1000] * 2
        self._turn_us = [control.turn_ms * 1000] * 2
        self._last_us = [0, 0]

    def limit_us(self, side: int) -> int:
        """What the side may still use for its turn: the rest of the turn's time and the bank."""
        return self._turn_us[side] + self.bank_us[side]

    def charge(self, side: int, us: int) -> None:
        """Take the time of one answer, first from the turn, then from the bank; raises `BotTimeout` beyond both."""
        if us < 0:
            raise ValueError(f"a time of {us} us cannot be charged")
        left = self._turn_us[side] - us
        if left < 0:
            if self.bank_us[side] + left < 0:
                raise BotTimeout(f"the answer took {us / 1000:g} ms; {_left(self.view(side))}")
            self.bank_us[side] += left
            left = 0
        self._turn_us[side] = left
        self._last_us[side] = us

    def turn_done(self, side: int) -> None:
        """The side's turn is complete; its next one has the full time again."""
        self._turn_us[side] = self.control.turn_ms * 1000

    def view(self, side: int) -> ClockView:
        return ClockView(self._turn_us[side] / 1000, self.bank_us[side] / 1000, self._last_us[side] / 1000)


def _left(view: ClockView) -> str:
    return f"{view.turn_ms:g} ms of the turn and {view.bank_ms:g} ms of the bank were left"
