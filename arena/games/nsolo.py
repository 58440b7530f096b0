"""Nsolo: relay sowing on one's own circuit; who captures strips as many stones again.  Numbers: docs/rules/nsolo.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from arena.errors import InvalidPosition
from arena.games import four_row_text
from arena.games.board import Board, Progress, board_of
from arena.games.four_row import FORWARD, MAX_LAPS, NEVER_ENDING, LapCount, facing, seeds_of_both, sow
from arena.games.native import Final, i64
from arena.games.options import Number, NumberPer, OptionValue, shown
from arena.games.outcome import SOUTH, Move, Outcome, Side, Step, counted, opponent_of
from arena.games.position import Position
from arena.games.rules import Rules, checked_pair, checked_pits, checked_side

COLUMNS = Number("columns", (8, 36), 8, "pits in each of the four rows")

STRIPS: Final = [Progress(facts=(strip,)) for strip in range(32)]      # made once: every move needs one

NOBODY: Final = -1              # in place of a side
NEVER: Final = -1               # in place of a sowing's last pit
TOO_LONG: Final = -2            # or it must be sown again, watched


class Nsolo(Rules):
    """Fact of a position: how many stones the side to move still has to strip; 0 between turns."""

    name = "nsolo"
    title = "Nsolo"
    rows = 2
    order_matters = False               # stones may be stripped in any order [N5]
    facts = (("strip", 1),)
    declared = (
        COLUMNS,
        NumberPer("max_plies", 100, COLUMNS, "so many turns make the game a draw"),
        MAX_LAPS,
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.columns: i64 = self.number("columns")
        self.pits_a_side = 2 * self.columns
        self.circuit: i64 = 2 * self.columns
        self.pass_move: i64 = 4 * self.columns
        self.ply_limit = self.number("max_plies")                           # N6
        self.max_laps: i64 = self.number("max_laps")

    def initial(self) -> Position:
        """Two stones in every pit but each player's rightmost inner one [N1]."""
        own = (0,) + (2,) * (self.pits_a_side - 1)
        return Position(self, board_of(own * 2, progress=STRIPS[0]))

    def position(self, pits: Iterable[int], stores: Iterable[int] | None = None, to_move: object = SOUTH,
                 strip: object = 0) -> Position:
        """A position given by hand, any number of stones in any pit.

        `strip`: stones the side to move still has to strip, in mid-turn.  Raises: InvalidPosition.
        """
        counts = checked_pits(self, pits)
        taken = (0, 0) if stores is None else checked_pair("stores", stores)
        board = board_of(counts, taken, checked_side(to_move))
        there = board.seeds_of(1 - board.to_move)
        if type(strip) is not int or not 0 <= strip <= there:
            raise InvalidPosition(f"strip must be from 0 to the opponent's {there} stones, not {shown(strip)}")
        board.progress = Progress(facts=(strip,))
        return Position(self, board)

    def restore(self, pits: tuple[int, ...], stores: tuple[int, ...], to_move: Side, progress: Progress) -> Position:
        position = self.position(pits, stores, to_move, progress.facts[0])
        if not progress.ending:
            return position
        if progress.ending != NEVER_ENDING or progress.facts[0]:
            raise InvalidPosition(f"no game of Nsolo ends with {shown(progress.ending)} here")
        board = position.board.copy()
        board.progress = progress
        return Position(self, board)

    def is_mid_turn(self, board: Board) -> bool:
        return board.progress.facts[0] > 0

    def legal_moves(self, board: Board) -> tuple[Move, ...]:
        """The opponent's filled pits while stones must be stripped [N4], else what may be sown [N3]."""
        if board.progress.ending or _loser(board) != NOBODY:
            return ()
        if self.is_mid_turn(board):
            return self._strips(board)
        several = board.pits_with(2)
        if several:
            return several                                                  # N3a
        return self._singles(board) or (self.pass_move,)                    # N3b, N3c

    def advance(self, start: Board, move: i64, board: Board) -> None:
        if move == self.pass_move:
            self._pass_on(board)
        elif move >= self.circuit:
            self._strip(board, move - self.circuit)
        else:
            self._take_turn(start, move, board)

    def outcome(self, board: Board) -> Outcome:
        """A sowing never ended; or a player has no stones, and loses [N6]."""
        if board.progress.ending:
            return self.adjudicate(board, board.progress.ending)
        loser = _loser(board)
        return counted(opponent_of(loser), "no_stones", seeds_of_both(board), (0, 2) if loser == SOUTH else (2, 0))

    def adjudicate(self, board: Board, ending: str) -> Outcome:
        """A draw [N6]."""
        return counted(None, ending, seeds_of_both(board), (1, 1))

    def lead(self, board: Board) -> i64:
        """As in any game; a stone still to be stripped is the opponent's no more, and taken."""
        return super().lead(board) + 5 * board.progress.facts[0]

    def turn_text(self, position: Position, moves: tuple[Move, ...]) -> str:
        return four_row_text.nsolo_turn_text(position, moves)

    def parse_turn(self, position: Position, text: str) -> tuple[Move, ...]:
        return four_row_text.parse_nsolo_turn(position, text)

    def _strips(self, board: Board) -> tuple[Move, ...]:
        return board.moves_from(self.circuit - self.circuit * board.to_move, self.circuit, 1, self.circuit)

    def _singles(self, board: Board) -> tuple[Move, ...]:
        """The pits of one stone before an empty one."""
        pits, own, size = board.pits, self.circuit * board.to_move, self.circuit
        moves: list[Move] = []
        for pit in range(size):
            beyond = pit + 1
            if beyond == size:
                beyond = 0
            if pits[own + pit] and not pits[own + beyond]:
                moves.append(pit)
        return tuple(moves)

    def _take_turn(self, start: Board, pit: i64, board: Board) -> None:
        last = self._sow(board, pit, board.steps is not None)
        if last == TOO_LONG:
            board.take(start)
            last = self._sow(board, pit, True)
        if last == NEVER:                                                   # the boards as before the turn [N6]
            board.take(start)
            board.progress = Progress(0, start.progress.facts, NEVER_ENDING)
        else:
            self._capture(board, last)

    def _sow(self, board: Board, pit: i64, is_watched: bool) -> i64:
        """Sow and relay [N2]; the empty pit in which it ends, NEVER when it does not [N6]."""
        laps = LapCount(self.max_laps, is_watched)
        pits, own = board.pits, self.circuit * board.to_move
        while True:
            stones = board.lift(own + pit)
            if laps.next_never_ends(board, pit):
                return TOO_LONG if laps.too_long else NEVER
            pit = sow(board, own, pit, stones, FORWARD)
            if pits[own + pit] == 1:
                return pit

    def _capture(self, board: Board, last: i64) -> None:
        """What the last stone wins: the facing inner pit, and the right to strip as many again [N4]."""
        mover = board.to_move
        front = self.circuit - self.circuit * mover + facing(last, self.columns)
        if last < self.columns and board.pits[front]:
            captured = board.capture(front, mover)
            strip = min(captured, board.seeds_of(1 - mover))
            if strip:
                board.progress = _stripping(strip)
                return
        self._pass_on(board)

    def _strip(self, board: Board, pit: i64) -> None:
        mover = board.to_move
        index = self.circuit - self.circuit * mover + pit
        board.pits[index] -= 1
        board.bank(1, mover)
        if board.steps is not None:
            board.steps.append(Step("strip", index, 1, mover))
        left = board.progress.facts[0] - 1
        if left:
            board.progress = _stripping(left)
        else:
            self._pass_on(board)

    def _pass_on(self, board: Board) -> None:
        board.progress = STRIPS[0]
        board.to_move = 1 - board.to_move


def _stripping(strip: i64) -> Progress:
    return STRIPS[strip] if strip < len(STRIPS) else Progress(facts=(strip,))


def _loser(board: Board) -> i64:
    """The player without stones; first of the two the one to move, whom the last turn has emptied."""
    if not board.has_seeds(board.to_move):
        return board.to_move
    return NOBODY if board.has_seeds(1 - board.to_move) else 1 - board.to_move
