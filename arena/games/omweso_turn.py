"""One sowing turn of Omweso: laps, captures, and the moments at which the mover chooses a direction."""

from __future__ import annotations

from arena.games.board import Board
from arena.games.four_row import BACKWARD, FORWARD, LapCount, behind, facing, sow
from arena.games.native import Final, i64, mypyc_attr
from arena.games.outcome import Step

COLUMNS: Final = 8
PITS: Final = 2 * 8             # of one side
LEFT_PITS: Final = (6, 9)       # the first and the last pit where a lap may begin clockwise [O6, D10]

OKWESERA: Final = 16            # added to a pit: its three seeds are laid out, two and one [O4]
COUNTER_CLOCKWISE: Final = 32
CLOCKWISE: Final = 33


@mypyc_attr(acyclic=True, free_list_len=1)
class Turn:
    """A turn on its board, carried on move by move; each runs to the next decision or to the turn's end.

    After `make` one of three holds: `is_asking` (the lap of `hand` seeds waits for its direction), `never_ends`, or
    the turn is complete.  A turn that is `too_long` must be made again, watched.  `captured_columns`: a bit for each
    own inner pit that made a capture.
    """

    __slots__ = ("_board", "_laps", "_may_capture", "_may_reverse", "_other", "_own", "_start", "captured_columns",
                 "hand", "is_asking", "never_ends")

    def __init__(self, board: Board, max_laps: i64, reverse: bool, is_watched: bool) -> None:
        mover = board.to_move
        self._board = board
        self._own: i64 = PITS * mover                                   # where the mover's pits begin
        self._other: i64 = PITS - self._own
        self._may_capture = board.progress.facts[mover] > 0             # nobody captures in his first turn [O5]
        self._may_reverse = reverse and self._may_capture
        self._laps = LapCount(max_laps, is_watched)
        self._start: i64 = 0                                            # the pit beside which the next lap begins
        self.hand: i64 = 0
        self.captured_columns: i64 = 0
        self.is_asking = False
        self.never_ends = False

    @property
    def too_long(self) -> bool:
        return self._laps.too_long

    def make(self, move: i64) -> None:
        """A pit to sow or to lay out, or the direction that was asked for."""
        if move < OKWESERA:
            self._lift(move)
        elif move < COUNTER_CLOCKWISE:
            self._lay_out(move - OKWESERA)
        else:
            self.is_asking = False
            self._laps.answered(self._board, self._start)
            self._sow_lap(FORWARD if move == COUNTER_CLOCKWISE else BACKWARD)
        while self.hand:
            if self._laps.next_never_ends(self._board, self._start):
                self.never_ends = True                                      # O7: known before a direction is asked for
                return
            if self._may_reverse and self._is_left(self._start) and self._would_capture_clockwise():
                self.never_ends = self._laps.was_answered(self._board, self._start)
                self.is_asking = not self.never_ends
                return
            self._sow_lap(FORWARD)

    def _is_left(self, pit: i64) -> bool:
        return LEFT_PITS[0] <= pit <= LEFT_PITS[1]

    def _lay_out(self, pit: i64) -> None:
        """Two seeds into the next pit, one into the pit beyond; nothing follows [O4]."""
        self._board.lift(self._own + pit)
        sow(self._board, self._own, pit, 1, FORWARD)
        sow(self._board, self._own, pit, 2, FORWARD)

    def _lift(self, pit: i64) -> None:
        self._start = pit
        self.hand = self._board.lift(self._own + pit)

    def _sow_lap(self, direction: i64) -> None:
        """Sow the hand; what the last seed leads to is in the hand then, nothing when the turn is over [O3]."""
        last = sow(self._board, self._own, self._start, self.hand, direction)
        if self._board.pits[self._own + last] == 1:
            self.hand = 0
        elif self._captures_at(last):
            self._capture(last)
        else:
            self._lift(last)

    def _captures_at(self, pit: i64) -> bool:
        """Whether a last seed in this pit, if it is occupied, captures: both pits opposite hold seeds [O5]."""
        pits, other = self._board.pits, self._other
        return (self._may_capture and pit < COLUMNS
                and pits[other + facing(pit, COLUMNS)] > 0 and pits[other + behind(pit, COLUMNS)] > 0)

    def _capture(self, pit: i64) -> None:
        """Take both pits of the column in hand, to be sown from where the capturing lap began [O5]."""
        self.captured_columns |= 1 << pit
        self._laps.captured()
        self.hand = self._take(facing(pit, COLUMNS))
        self.hand += self._take(behind(pit, COLUMNS))

    def _take(self, pit: i64) -> i64:
        """Take the seeds of the opponent's pit."""
        board, index = self._board, self._other + pit
        seeds = board.pits[index]
        board.pits[index] = 0
        if board.steps is not None:
            board.steps.append(Step("capture", index, seeds, board.to_move))
        return seeds

    def _would_capture_clockwise(self) -> bool:
        """Whether the lap in hand, sown clockwise, ends in a capture [O6]."""
        last = (self._start - self.hand) % PITS
        earlier_rounds = (self.hand - 1) // PITS
        return self._board.pits[self._own + last] + earlier_rounds > 0 and self._captures_at(last)
