"""One sowing turn of Omweso: laps, captures, and the moments at which the mover chooses a direction."""

from arena.games.four_row import BACKWARD, FORWARD, Circuit, LapCount, behind, facing
from arena.games.outcome import Move, Step, opponent_of
from arena.games.position import Position

COLUMNS = 8
PITS = 2 * COLUMNS              # of one side
LEFT_PITS = (6, 7, 8, 9)        # where a lap may begin clockwise [O6, D10]

OKWESERA = PITS                 # added to a pit: its three seeds are laid out, two and one [O4]
COUNTER_CLOCKWISE = 32
CLOCKWISE = 33


class Turn:
    """The board of a turn, carried on move by move; each runs to the next decision or to the turn's end.

    After `make` one of three holds: `is_asking` (the lap of `hand` seeds waits for its direction), `never_ends`, or
    the turn is complete.
    """

    __slots__ = ("_laps", "_may_capture", "_may_reverse", "_other", "_own", "_start", "captured_columns", "hand",
                 "is_asking", "never_ends")

    def __init__(self, start: Position, max_laps: int, reverse: bool) -> None:
        self._own = Circuit(start)
        self._other: list[int] = list(start.pits_of(opponent_of(start.to_move)))
        self._may_capture: bool = start.facts[start.to_move] > 0        # nobody captures in his first turn [O5]
        self._may_reverse: bool = reverse and self._may_capture
        self._laps = LapCount(max_laps)
        self._start = 0                                                 # the pit beside which the next lap begins
        self.hand = 0
        self.captured_columns: set[int] = set()                         # own inner pits that made a capture
        self.is_asking = False
        self.never_ends = False

    def watch(self, steps: list[Step] | None) -> None:
        """Note what happens from now on."""
        self._own.steps = steps

    def make(self, move: Move) -> None:
        """A pit to sow or to lay out, or the direction that was asked for."""
        if move < PITS:
            self._lift(move)
        elif move < COUNTER_CLOCKWISE:
            self._lay_out(move - OKWESERA)
        else:
            self.is_asking = False
            self._sow_lap(FORWARD if move == COUNTER_CLOCKWISE else BACKWARD)
        while self.hand:
            if self._laps.next_never_ends(self._own.pits, self._start):     # O7: known before a direction is asked for
                self.never_ends = True
                return
            if self._may_reverse and self._start in LEFT_PITS and self._would_capture_clockwise():
                self.is_asking = True
                return
            self._sow_lap(FORWARD)

    def board(self) -> list[int]:
        """The pits as they lie, South's first."""
        own, other = self._own.pits, self._other
        return other + own if self._own.side else own + other

    def _lay_out(self, pit: int) -> None:
        """Two seeds into the next pit, one into the pit beyond; nothing follows [O4]."""
        self._own.lift(pit)
        self._own.drop((pit + 1) % PITS)
        self._own.drop((pit + 1) % PITS)
        self._own.drop((pit + 2) % PITS)

    def _lift(self, pit: int) -> None:
        self._start = pit
        self.hand = self._own.lift(pit)

    def _sow_lap(self, direction: int) -> None:
        """Sow the hand; what the last seed leads to is in the hand then, nothing when the turn is over [O3]."""
        last = self._own.sow(self._start, self.hand, direction)
        if self._own.pits[last] == 1:
            self.hand = 0
        elif self._captures_at(last):
            self._capture(last)
        else:
            self._lift(last)

    def _captures_at(self, pit: int) -> bool:
        """Whether a last seed in this pit, if it is occupied, captures: both pits opposite hold seeds [O5]."""
        return (self._may_capture and pit < COLUMNS
                and self._other[facing(pit, COLUMNS)] > 0 and self._other[behind(pit, COLUMNS)] > 0)

    def _capture(self, pit: int) -> None:
        """Take both pits of the column in hand, to be sown from where the capturing lap began [O5]."""
        self.captured_columns.add(pit)
        self._laps.captured()
        self.hand = 0
        for taken in (facing(pit, COLUMNS), behind(pit, COLUMNS)):
            seeds, self._other[taken] = self._other[taken], 0
            self.hand += seeds
            if self._own.steps is not None:
                index = opponent_of(self._own.side) * PITS + taken
                self._own.steps.append(Step("capture", index, seeds, self._own.side))

    def _would_capture_clockwise(self) -> bool:
        """Whether the lap in hand, sown clockwise, ends in a capture [O6]."""
        last = (self._start - self.hand) % PITS
        earlier_rounds = (self.hand - 1) // PITS
        return self._own.pits[last] + earlier_rounds > 0 and self._captures_at(last)
