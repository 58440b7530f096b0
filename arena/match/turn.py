"""What one turn is made of: the clock a bot sees, its answer, the time it took.  Values: nothing changes them.

They are plain classes because this module is compiled (`arena.compiling`): there are hundreds of each in a match.
"""

from __future__ import annotations

from typing import Final


class _Value:
    """Compared, hashed and shown by what it holds."""

    __slots__ = ()

    def held(self) -> dict[str, object]:
        """What it holds, by name, in the order of its arguments."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, _Value) and other.held() == self.held()

    def __hash__(self) -> int:
        return hash(tuple(self.held().values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([f'{name}={part!r}' for name, part in self.held().items()])})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), tuple(self.held().values())


class ClockView(_Value):
    """What a bot sees: what is left of this turn and of the bank, and what its last answer was charged."""

    __slots__ = ("bank_ms", "last_charged_ms", "turn_ms")

    def __init__(self, turn_ms: float, bank_ms: float, last_charged_ms: float) -> None:
        self.turn_ms: Final = turn_ms
        self.bank_ms: Final = bank_ms
        self.last_charged_ms: Final = last_charged_ms

    def held(self) -> dict[str, object]:
        return {"turn_ms": self.turn_ms, "bank_ms": self.bank_ms, "last_charged_ms": self.last_charged_ms}


class Timing(_Value):
    """What one request, or all requests of one turn, took, in microseconds.

    `charged_us` is what the clock takes: wall time minus the time the bot waited for a processor, or of a quick answer
    the processor time alone.  `waited_us` is the rest of the wall time.
    """

    __slots__ = ("charged_us", "cpu_us", "waited_us", "wall_us")

    def __init__(self, charged_us: int, wall_us: int, cpu_us: int, waited_us: int) -> None:
        self.charged_us: Final = charged_us
        self.wall_us: Final = wall_us
        self.cpu_us: Final = cpu_us
        self.waited_us: Final = waited_us

    def held(self) -> dict[str, object]:
        charged, wall, cpu, waited = self.charged_us, self.wall_us, self.cpu_us, self.waited_us
        return {"charged_us": charged, "wall_us": wall, "cpu_us": cpu, "waited_us": waited}

    def and_then(self, other: Timing) -> Timing:
        """What both took together."""
        return Timing(
            self.charged_us + other.charged_us,
            self.wall_us + other.wall_us,
            self.cpu_us + other.cpu_us,
            self.waited_us + other.waited_us,
        )


NO_TIME = Timing(0, 0, 0, 0)


class Reply(_Value):
    """One answer of a bot: moves for the current turn, or for a part of it, in the order of play."""

    __slots__ = ("moves", "timing")

    def __init__(self, moves: tuple[int, ...], timing: Timing) -> None:
        self.moves: Final = moves
        self.timing: Final = timing

    def held(self) -> dict[str, object]:
        return {"moves": self.moves, "timing": self.timing}


class TurnRecord(_Value):
    """The time of one turn of a bot; `ply` counts all turns of the game from 0, those of the opening too."""

    __slots__ = ("ply", "seat", "timing")

    def __init__(self, seat: int, ply: int, timing: Timing) -> None:
        self.seat: Final = seat
        self.ply: Final = ply
        self.timing: Final = timing

    def held(self) -> dict[str, object]:
        return {"seat": self.seat, "ply": self.ply, "timing": self.timing}
