"""What Omweso and Nsolo share: each side's circuit of pits, its laps, and sowings that never end.

A side's pits are numbered in its own sowing order: `0…n-1` the inner row from its right to its left, `n…2n-1` the outer
row from its left to its right.  One step counter-clockwise is one pit on, and sowing never leaves the circuit [B].
"""

from __future__ import annotations

from arena.games.board import Board
from arena.games.met import Met
from arena.games.native import Final, i64, mypyc_attr
from arena.games.options import Number
from arena.games.outcome import Pair
from arena.games.sowing import LAPS_UNWATCHED

FORWARD: Final = 1              # counter-clockwise
BACKWARD: Final = -1            # clockwise

NEVER_ENDING: Final = "never_ending"

MAX_LAPS = Number("max_laps", (1, 2000), 2000, "a turn of so many laps that has not ended never will")


def facing(pit: i64, columns: i64) -> i64:
    """The opponent's inner pit in the column of one's own inner pit [B]."""
    return columns - 1 - pit


def behind(pit: i64, columns: i64) -> i64:
    """The opponent's outer pit in the column of one's own inner pit [B]."""
    return columns + pit


def seeds_of_both(board: Board) -> Pair:
    """What lies on each side."""
    return board.seeds_of(0), board.seeds_of(1)


def sow(board: Board, first: i64, start: i64, seeds: i64, direction: i64) -> i64:
    """Sow on the circuit that begins at `first`, the first seed beside `start`, which is not passed over [O3, N2].

    Returns: the pit of the last seed.
    """
    pits = board.pits
    size: i64 = len(pits) // 2
    pit = start
    if board.steps is not None:
        _note_drops(board, first, start, seeds, direction)
    if seeds > size:                    # whole rounds at once: a position given by hand may hold any number
        rounds = (seeds - 1) // size
        seeds -= rounds * size
        for pit in range(size):
            pits[first + pit] += rounds
    pit = start
    while seeds:
        pit += direction
        if pit == size:
            pit = 0
        elif pit < 0:
            pit = size - 1
        pits[first + pit] += 1
        seeds -= 1
    return pit


def _note_drops(board: Board, first: i64, start: i64, seeds: i64, direction: i64) -> None:
    size: i64 = len(board.pits) // 2
    for count in range(1, seeds + 1):
        board.dropped(first + (start + direction * count) % size)


@mypyc_attr(acyclic=True, free_list_len=1)
class LapCount:
    """The laps of one turn, and the configurations met, by which a sowing that never ends is known [O7, N6].

    Few turns are long, so unless the turn `is_watched` only those configurations are noted in which the mover was asked
    for a direction; a turn that was not watched, and is `too_long` to be trusted, must be sown again, watched.
    """

    __slots__ = ("_is_watched", "_limit", "_made", "_met", "too_long")

    def __init__(self, limit: i64, is_watched: bool) -> None:
        self._limit: i64 = limit
        self._made: i64 = 0
        self._is_watched = is_watched
        self._met: Met | None = None
        self.too_long = False

    def next_never_ends(self, board: Board, start: i64) -> bool:
        """Count the lap about to begin, its seeds lifted; whether the turn is found never to end, or is too long."""
        if self._made >= self._limit:
            return True
        self._made += 1
        if self._is_watched:
            return self._note(board, start) > 0
        self.too_long = self._made > LAPS_UNWATCHED
        return self.too_long

    def was_answered(self, board: Board, start: i64) -> bool:
        """Whether the mover has said already how to sow this lap, in the very same configuration."""
        return not self._is_watched and self._met is not None and self._met.times(board, start) > 0

    def answered(self, board: Board, start: i64) -> None:
        """Note that the mover says how to sow this lap."""
        if not self._is_watched:
            self._note(board, start)

    def captured(self) -> None:
        """After a capture no earlier configuration can come back."""
        self._met = None

    def _note(self, board: Board, start: i64) -> i64:
        """Where the lap starts and the pits are configuration enough: between captures nothing else changes but the
        hand, which makes up the same sum.
        """
        if self._met is None:
            self._met = Met()
        return self._met.note(board.copy(), start)
