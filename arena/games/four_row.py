"""What Omweso and Nsolo share: each side's circuit of pits, its laps, and sowings that never end.

A side's pits are numbered in its own sowing order: `0…n-1` the inner row from its right to its left, `n…2n-1` the outer
row from its left to its right.  One step counter-clockwise is one pit on, and sowing never leaves the circuit [B].
"""

from arena.games.options import Number
from arena.games.outcome import Side, Step
from arena.games.position import Position

FORWARD = 1                     # counter-clockwise
BACKWARD = -1                   # clockwise

NEVER_ENDING = "never_ending"

MAX_LAPS = Number("max_laps", (1, 2000), 2000, "a turn of so many laps that has not ended never will")


def facing(pit: int, columns: int) -> int:
    """The opponent's inner pit in the column of one's own inner pit [B]."""
    return columns - 1 - pit


def behind(pit: int, columns: int) -> int:
    """The opponent's outer pit in the column of one's own inner pit [B]."""
    return columns + pit


class Circuit:
    """The mover's pits while a turn is sown.

    `first` is where they begin in `Position.pits`; `steps` collects the trace, None when nobody watches.
    """

    __slots__ = ("first", "pits", "side", "steps")

    def __init__(self, position: Position, steps: list[Step] | None = None) -> None:
        self.side: Side = position.to_move
        self.pits: list[int] = list(position.pits_of(self.side))
        self.first: int = self.side * len(self.pits)
        self.steps = steps

    def lift(self, pit: int) -> int:
        """Take all seeds of a pit into the hand."""
        seeds = self.pits[pit]
        self.pits[pit] = 0
        if self.steps is not None:
            self.steps.append(Step("lift", self.first + pit, seeds, self.side))
        return seeds

    def sow(self, start: int, seeds: int, direction: int = FORWARD) -> int:
        """Drop the seeds one by one, the first beside `start`, which is not passed over; the last pit [O3, N2]."""
        pits, size = self.pits, len(self.pits)
        if self.steps is not None:
            self._note_drops(start, seeds, direction)
        if seeds > size:                # whole rounds at once: a position given by hand may hold any number
            rounds = (seeds - 1) // size
            seeds -= rounds * size
            for pit in range(size):
                pits[pit] += rounds
        pit = start
        for _ in range(seeds):
            pit = (pit + direction) % size
            pits[pit] += 1
        return pit

    def drop(self, pit: int) -> None:
        """Drop one seed."""
        self.pits[pit] += 1
        if self.steps is not None:
            self.steps.append(Step("drop", self.first + pit, 1, self.side))

    def _note_drops(self, start: int, seeds: int, direction: int) -> None:
        assert self.steps is not None
        for count in range(1, seeds + 1):
            pit = (start + direction * count) % len(self.pits)
            self.steps.append(Step("drop", self.first + pit, 1, self.side))


class LapCount:
    """The laps of one turn, and the configurations met, by which a sowing that never ends is known [O7, N6]."""

    __slots__ = ("_limit", "_made", "_met")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._made = 0
        self._met: set[tuple[int, tuple[int, ...]]] = set()

    def next_never_ends(self, pits: list[int], start: int) -> bool:
        """Count the lap about to begin, its seeds lifted; whether the turn is found never to end.

        The start and the mover's pits are configuration enough: between captures nothing else changes but the hand,
        which makes up the same sum.
        """
        configuration = (start, tuple(pits))
        if self._made >= self._limit or configuration in self._met:
            return True
        self._made += 1
        self._met.add(configuration)
        return False

    def captured(self) -> None:
        """After a capture no earlier configuration can come back."""
        self._met.clear()
