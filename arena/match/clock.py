"""The clock of one game.  It is told what to charge; nothing here measures time."""

from arena.errors import BotTimeout
from arena.match.time_control import TimeControl
from arena.match.turn import ClockView


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
