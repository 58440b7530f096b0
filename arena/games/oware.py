"""Oware (Abapa): sow one lap, capture twos and threes, feed a starving opponent.  Numbers: docs/rules/oware.md."""

from __future__ import annotations

from collections.abc import Mapping

from arena.games.board import Board
from arena.games.native import Final, i64
from arena.games.options import Choice, OptionValue
from arena.games.outcome import Move, Outcome, Pair
from arena.games.sowing import capture_chain, chain_length, is_grand_slam, sow_past_origin
from arena.games.two_row import QUIET_LIMIT, TwoRowRules

MAJORITY: Final = 25                   # more than half of the 48 seeds [O9]


class Oware(TwoRowRules):
    name = "oware"
    title = "Oware (Abapa)"
    declared = (
        Choice("grand_slam", ("forfeit", "win25"), "forfeit",
               "a capture of all the opponent's seeds: never, or only when it brings 25 seeds"),
        QUIET_LIMIT,
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.slam_may_win: bool = self._values["grand_slam"] == "win25"

    def at_start(self) -> Pair:
        return 6, 4                                                         # O1

    def legal_moves(self, board: Board) -> tuple[Move, ...]:
        """Any filled pit [O2]; while the opponent starves, only moves that feed him [O3]."""
        if _has_majority(board):
            return ()
        filled = board.pits_with(1)
        if board.has_seeds(1 - board.to_move):
            return filled
        own = self.first_of(board.to_move)
        return tuple([pit for pit in filled if board.pits[own + pit] > 5 - pit])

    def advance(self, start: Board, move: i64, board: Board) -> None:
        """Sow, look at the last seed, work out the chain, test for a grand slam, capture [O5]."""
        mover = board.to_move
        theirs = self.first_of(1 - mover)
        last = sow_past_origin(board, self.first_of(mover) + move)          # O4
        chain = chain_length(board.pits, last, theirs, 3)                   # O6, O7
        if chain and not self._is_forfeited(board, last, chain, theirs):
            capture_chain(board, last, chain)
        board.to_move = 1 - mover

    def _is_forfeited(self, board: Board, last: i64, chain: i64, theirs: i64) -> bool:
        """A grand slam takes nothing, unless the variant lets it win [O8]."""
        if not is_grand_slam(board.pits, last, chain, theirs):
            return False
        mover = board.to_move
        return not self.slam_may_win or board.store_of(mover) + board.seeds_of(1 - mover) < MAJORITY

    def outcome(self, board: Board) -> Outcome:
        """A majority [O9], or nothing legal to play [O11]."""
        if _has_majority(board):
            return self.count("majority", board.stores())
        return self.adjudicate(board, "no_moves")


def _has_majority(board: Board) -> bool:
    return board.south >= MAJORITY or board.north >= MAJORITY
