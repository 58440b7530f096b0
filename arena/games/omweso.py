"""Omweso: relay sowing on one's own circuit, captures sown again, laps in reverse.  Numbers: docs/rules/omweso.md.

Here are the rules between turns and the ends of a game; the sowing of a turn is in `omweso_turn`, the set-up phase in
`omweso_set_up`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from arena.errors import InvalidPosition
from arena.games import four_row_text, omweso_set_up
from arena.games.board import Board, Progress, board_of
from arena.games.four_row import MAX_LAPS, NEVER_ENDING, seeds_of_both
from arena.games.native import Final, i64
from arena.games.omweso_set_up import ARRANGED, SetUpCap
from arena.games.omweso_turn import CLOCKWISE, COLUMNS, COUNTER_CLOCKWISE, OKWESERA, PITS, Turn
from arena.games.options import Choice, Number, OptionValue, Switch, shown
from arena.games.outcome import SOUTH, Move, Outcome, Side, counted
from arena.games.position import Position
from arena.games.rules import Rules, checked_pair, checked_pits, checked_side

BOTH_ENDS: Final = 0b10000001   # columns of the inner row, as `Turn.captured_columns` has them
ARRANGEMENTS = {                # of each player's 32 seeds [O1]
    "outer4": (0,) * COLUMNS + (4,) * COLUMNS,
    "inner4": (4,) * COLUMNS + (0,) * COLUMNS,
    "all2": (2,) * PITS,
    "free": (0,) * PITS,
}
POINTS: dict[str, int] = {                      # of the winner; the loser has none [O8]
    "akawumbi": 12,
    "okutema_front_row": 2,
    "okutema_both_ends": 2,
    "akakyala": 2,
    "bulijo": 1,
}


class Omweso(Rules):
    """Facts of a position: turns made and capturing turns made, each South's and North's, counted no further than the
    rules look (1 and 2); and whether seeds are being arranged.
    """

    name = "omweso"
    title = "Omweso"
    rows = 2
    has_stores = False
    facts = (("turns", 2), ("cap_turns", 2), ("arranging", 1))
    declared = (
        Choice("setup", ("outer4", "inner4", "all2", "free"), "outer4",
               "where the 32 seeds of each player lie at the start; free: each arranges his own, North after South"),
        SetUpCap("setup_cap", (2, 32), 10, "with setup=free, most seeds in one pit; none: any number"),
        Switch("okwesera", True, "until the first capture, three seeds may be laid out as two and one"),
        Switch("reverse", True, "a lap from the four left pits may go clockwise if it captures"),
        Switch("okutema", True, "clearing the front row, or both ends, by captures of one turn wins two points"),
        Switch("akakyala", False, "two capturing turns before the opponent's first win two points"),
        MAX_LAPS,
        Number("repetition", (2, 3), 3, "a position that occurs so often annuls the game"),
        Number("max_plies", (1, 1000), 1000, "so many turns annul the game"),
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.pits_a_side = PITS
        self.occurrences = self.number("repetition")                        # O9
        self.ply_limit = self.number("max_plies")
        self.arrangement: str = str(self._values["setup"])
        self.set_up_cap: int | None = None if self._values["setup_cap"] is None else self.number("setup_cap")
        self.max_laps: i64 = self.number("max_laps")
        self.has_set_up: bool = self.arrangement == "free"
        self.has_okwesera: bool = self._values["okwesera"] is True
        self.has_reverse: bool = self._values["reverse"] is True
        self.has_okutema: bool = self._values["okutema"] is True
        self.has_akakyala: bool = self._values["akakyala"] is True

    def initial(self) -> Position:
        facts = omweso_set_up.ARRANGING if self.arrangement == "free" else ARRANGED
        return Position(self, board_of(ARRANGEMENTS[self.arrangement] * 2, progress=Progress(facts=facts)))

    def position(self, pits: Iterable[int], stores: Iterable[int] | None = None, to_move: object = SOUTH,
                 turns: Iterable[int] = (1, 1), cap_turns: Iterable[int] = (0, 0)) -> Position:
        """A position given by hand, any number of seeds in any pit, the set-up done.

        `turns`, `cap_turns`: how many turns, and capturing turns, (South, North) have made.  Raises: InvalidPosition.
        """
        counts = checked_pits(self, pits)
        if stores is not None and checked_pair("stores", stores) != (0, 0):
            raise InvalidPosition("Omweso has no stores: leave them out, or (0, 0)")
        made, captured = checked_pair("turns", turns), checked_pair("cap_turns", cap_turns)
        facts = min(made[0], 1), min(made[1], 1), min(captured[0], 2), min(captured[1], 2), 0
        return Position(self, board_of(counts, (0, 0), checked_side(to_move), Progress(facts=facts)))

    def restore(self, pits: tuple[int, ...], stores: tuple[int, ...], to_move: Side, progress: Progress) -> Position:
        facts, ending = progress.facts, progress.ending
        position = self.position(pits, stores, to_move, facts[:2], facts[2:4])
        is_arranging = facts[4]
        if ending and (is_arranging or (ending != NEVER_ENDING and ending not in POINTS)):
            raise InvalidPosition(f"no game of Omweso ends with {shown(ending)} here")
        if not is_arranging:
            kept = position.board.progress.facts
            return Position(self, board_of(position.pits, (0, 0), to_move, Progress(0, kept, ending)))
        if not self.has_set_up:
            raise InvalidPosition("seeds are arranged only with setup=free")
        begun = Position(self, board_of(position.pits, (0, 0), to_move, Progress(0, facts)))
        omweso_set_up.check_begun(begun, self.set_up_cap)
        return begun

    def is_arranging(self, board: Board) -> bool:
        return self.has_set_up and board.progress.facts[4] > 0

    def legal_moves(self, board: Board) -> tuple[Move, ...]:
        """Pits of two seeds or more [O3], then those of three to lay out [O4]; in mid-turn the two directions [O6]."""
        progress = board.progress
        if progress.ending:
            return ()
        if self.is_arranging(board):
            return omweso_set_up.legal_moves(board, self.set_up_cap)
        if progress.moves:
            return COUNTER_CLOCKWISE, CLOCKWISE
        moves = board.pits_with(2)
        if self.has_okwesera and progress.facts[2] == 0 and progress.facts[3] == 0:
            own: i64 = PITS * board.to_move
            moves += tuple([OKWESERA + pit for pit in moves if board.pits[own + pit] == 3])
        return moves

    def advance(self, start: Board, move: i64, board: Board) -> None:
        if self.is_arranging(start):
            omweso_set_up.place(start, move, board)
            return
        turn = self._carried_on(start, board, board.steps is not None)
        turn.make(move)
        if turn.too_long:
            board.take(start)
            turn = self._carried_on(start, board, True)
            turn.make(move)
        before = start.progress.start or start
        if turn.never_ends:                                                 # O7: the boards as before the turn
            board.take(before)
            board.progress = Progress(0, before.progress.facts, NEVER_ENDING)
        elif turn.is_asking:
            board.progress = Progress(turn.hand, before.progress.facts, "", before, (*start.progress.moves, move))
        else:
            self._complete(board, turn.captured_columns)

    def outcome(self, board: Board) -> Outcome:
        """An ending of the turn just completed; or the side to move has no pit of two seeds, and loses [O8]."""
        ending = board.progress.ending or "bulijo"
        if ending == NEVER_ENDING:
            return self.adjudicate(board, NEVER_ENDING)
        winner = 1 - board.to_move
        points = 2 * POINTS[ending]
        return counted(winner, ending, seeds_of_both(board), (points, 0) if winner == SOUTH else (0, points))

    def adjudicate(self, board: Board, ending: str) -> Outcome:
        """The game is annulled: nobody wins, no points [O7, O9]."""
        return counted(None, ending, seeds_of_both(board), (0, 0))

    def turn_text(self, position: Position, moves: tuple[Move, ...]) -> str:
        return four_row_text.omweso_turn_text(position, moves)

    def parse_turn(self, position: Position, text: str) -> tuple[Move, ...]:
        return four_row_text.parse_omweso_turn(position, text)

    def _carried_on(self, start: Board, board: Board, is_watched: bool) -> Turn:
        """The turn as far as it has come, on `board`, which lies as `start`; for each decision it is made anew."""
        before = start.progress.start
        if before is None:
            return Turn(board, self.max_laps, self.has_reverse, is_watched)
        steps, board.steps = board.steps, None
        board.take(before)
        turn = Turn(board, self.max_laps, self.has_reverse, is_watched)
        for earlier in start.progress.moves:
            turn.make(earlier)
        board.steps = steps
        return turn

    def _complete(self, board: Board, captured_columns: i64) -> None:
        """The turn is over, after captures in these columns: what it won [O8], and who moves next."""
        mover = board.to_move
        before = board.progress.facts
        captures = before[2 + mover]
        if captured_columns:
            captures = min(captures + 1, 2)
        ending = self._award(board, captured_columns, captures, before[3 - mover])
        if ending or not before[mover] or captures != before[2 + mover]:
            board.progress = Progress(0, _after_turn(before, mover, captures), ending)
        board.to_move = 1 - mover

    def _award(self, board: Board, captured_columns: i64, captures: int, their_captures: int) -> str:
        """The highest award of a completed turn, "" for none [O8]."""
        if captured_columns:
            theirs: i64 = PITS - PITS * board.to_move
            if not board.has_seeds(1 - board.to_move):
                return "akawumbi"
            if self.has_okutema and _are_empty(board, theirs, COLUMNS):
                return "okutema_front_row"
            if self.has_okutema and captured_columns & BOTH_ENDS == BOTH_ENDS:
                return "okutema_both_ends"
        if self.has_akakyala and captures == 2 and their_captures == 0:
            return "akakyala"
        return ""


def _after_turn(facts: tuple[int, ...], mover: i64, captures: int) -> tuple[int, ...]:
    """The facts of a position, when the mover has made a turn and so many capturing turns."""
    if mover:
        return facts[0], 1, facts[2], captures, 0
    return 1, facts[1], captures, facts[3], 0


def _are_empty(board: Board, first: i64, count: i64) -> bool:
    """Whether no seed lies in so many pits from the first on."""
    return not any(board.pits[pit] for pit in range(first, first + count))
