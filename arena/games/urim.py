"""Urim: Oware with seventeen to a pit, chains through fours, points by share.  Numbers: docs/rules/urim.md."""

from __future__ import annotations

from collections.abc import Mapping

from arena.errors import InvalidPosition
from arena.games.board import Board
from arena.games.native import Final, i64
from arena.games.options import Choice, OptionValue
from arena.games.outcome import NORTH, SOUTH, Move, Outcome, Pair, counted
from arena.games.sowing import capture_chain, chain_length, is_grand_slam, sow_past_full
from arena.games.two_row import QUIET_LIMIT, TwoRowRules

FULL: Final = 17                       # seeds a pit can hold [U5]


class Urim(TwoRowRules):
    name = "urim"
    title = "Urim"
    declared = (
        Choice("pits", (6, 7), 6, "pits on each side"),
        Choice("seeds", (3, 4), 3, "seeds in each pit at the start"),
        Choice("grand_slam", ("forfeit", "legal"), "forfeit", "whether all the opponent's seeds may be captured"),
        QUIET_LIMIT,
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.slam_is_legal: bool = self._values["grand_slam"] == "legal"

    def at_start(self) -> Pair:
        return self.number("pits"), self.number("seeds")                    # U1

    def check_pits(self, pits: tuple[int, ...]) -> None:
        """Raises: InvalidPosition when a pit holds more than seventeen [U5]."""
        for seeds in pits:
            if seeds > FULL:
                raise InvalidPosition(f"a pit of urim holds at most {FULL} seeds, not {seeds}")

    def legal_moves(self, board: Board) -> tuple[Move, ...]:
        """Any filled pit [U2]; while the opponent starves, only moves that feed him [U3]."""
        filled = board.pits_with(1)
        if board.has_seeds(1 - board.to_move):
            return filled
        own = self.first_of(board.to_move)
        return tuple([pit for pit in filled if _feeds(board, own + pit, own + self.row_size)])

    def advance(self, start: Board, move: i64, board: Board) -> None:
        """As Oware: sow, look at the last seed, work out the chain, test for a grand slam, capture."""
        mover = board.to_move
        theirs = self.first_of(1 - mover)
        last = sow_past_full(board, self.first_of(mover) + move, FULL)      # U4, U5
        chain = chain_length(board.pits, last, theirs, 4)                   # U6, U7
        if self.slam_is_legal or not is_grand_slam(board.pits, last, chain, theirs):        # U8
            capture_chain(board, last, chain)
        board.to_move = 1 - mover

    def outcome(self, board: Board) -> Outcome:
        """Nothing legal to play; a majority does not end the game [U9, U10]."""
        return self.adjudicate(board, "no_moves")

    def count(self, ending: str, seeds: Pair) -> Outcome:
        """A point for three quarters of all seeds, half a point for more than half, nothing for a draw [U11]."""
        south, north = seeds
        if south == north:
            return counted(None, ending, seeds, (0, 0))
        half_points = 2 if 4 * max(south, north) >= 3 * self.seeds else 1
        if south > north:
            return counted(SOUTH, ending, seeds, (half_points, 0))
        return counted(NORTH, ending, seeds, (0, half_points))


def _feeds(board: Board, pit: i64, end: i64) -> bool:
    """Whether a seed gets past the pits after this one in the row, of which the full take none [U3, U5]."""
    taking: i64 = 0
    later: i64
    for later in range(pit + 1, end):
        if board.pits[later] < FULL:
            taking += 1
    return board.pits[pit] > taking
