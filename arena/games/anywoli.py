"""Anywoli: relay sowing, fours captured on the way and at the end, further moves.  Numbers: docs/rules/anywoli.md."""

from __future__ import annotations

from collections.abc import Iterable

from arena.games.board import Board
from arena.games.met import Met
from arena.games.native import Final, i64
from arena.games.outcome import SOUTH, Move, Outcome, Pair
from arena.games.position import Position
from arena.games.sowing import LAPS_UNWATCHED
from arena.games.two_row import QUIET_LIMIT, TwoRowRules

GROUP: Final = 4                       # seeds in every capture, and in the last group of a game

OVER: Final = -1                  # in place of a lap's last pit: the game ended within the lap

STOPS: Final = 0                       # how a relay ends: the opponent moves next,
MOVES_AGAIN: Final = 1                 # or the mover,
TOO_LONG: Final = 2                    # or it must be sown again, watched


class Anywoli(TwoRowRules):
    name = "anywoli"
    title = "Anywoli"
    declared = (QUIET_LIMIT,)

    def at_start(self) -> Pair:
        return 12, 4                                                        # A1

    def position(self, pits: Iterable[int], stores: Iterable[int] | None = None, to_move: object = SOUTH) -> Position:
        """A position given by hand; a side without seeds has passed already [A4].  Raises: InvalidPosition."""
        board = super().position(pits, stores, to_move).board
        board.to_move = _who_can_move(board, board.to_move)
        return Position(self, board)

    def legal_moves(self, board: Board) -> tuple[Move, ...]:
        """Any filled pit of one's own [A3]."""
        return board.pits_with(1)

    def advance(self, start: Board, move: i64, board: Board) -> None:
        """Sow lap after lap; who made a four with a last seed moves again [A8], who has no seed passes [A4]."""
        mover = board.to_move
        pit = self.first_of(mover) + move
        end = self._relay(board, pit, board.steps is not None)
        if end == TOO_LONG:
            board.take(start)
            end = self._relay(board, pit, True)
        board.to_move = _who_can_move(board, mover if end == MOVES_AGAIN else 1 - mover)

    def outcome(self, board: Board) -> Outcome:
        """The board is empty: somebody took the last four [A10, A12]."""
        return self.count("last_four", board.stores())

    def _relay(self, board: Board, pit: i64, is_watched: bool) -> i64:
        """Sow from this pit and relay [A5]; a last seed that makes a four earns a further move [A7]."""
        pits = board.pits
        met = Met() if is_watched else None
        laps: i64 = 0
        while True:
            if met is not None:
                if met.note(board.copy(), pit):
                    return STOPS                                            # A9: it would never end
            elif laps == LAPS_UNWATCHED:
                return TOO_LONG
            laps += 1
            pit = self._sow_lap(board, pit)
            if pit == OVER or pits[pit] == 1:
                return STOPS
            if pits[pit] == GROUP:
                self._capture(board, pit, board.to_move, 0)
                return MOVES_AGAIN

    def _sow_lap(self, board: Board, pit: i64) -> i64:
        """Sow one lap, no pit passed over [A2]; fours made on the way go to the pit's owner [A6].

        Returns: the pit of the last seed, or OVER.
        """
        pits = board.pits
        size: i64 = len(pits)
        hand = board.lift(pit)
        is_watched = board.steps is not None
        while hand:
            pit += 1
            if pit == size:
                pit = 0
            pits[pit] += 1
            hand -= 1
            if is_watched:
                board.dropped(pit)
            if hand and pits[pit] == GROUP and self._capture(board, pit, pit // self.row_size, hand):
                return OVER
        return pit

    def _capture(self, board: Board, pit: i64, side: i64, hand: i64) -> bool:
        """Capture a four; with it go the last four seeds in play, those in the hand too [A10].  Whether it did so."""
        board.capture(pit, side)
        if board.south + board.north < self.seeds - GROUP:
            return False
        rest: i64
        for rest in range(len(board.pits)):
            if board.pits[rest]:
                board.capture(rest, side)
        if hand:
            board.capture_hand(hand, side)
        return True


def _who_can_move(board: Board, side: i64) -> i64:
    """The side itself, or its opponent when it has no seed and passes [A4]."""
    return side if board.has_seeds(side) else 1 - side
