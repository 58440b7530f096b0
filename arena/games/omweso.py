"""Omweso: relay sowing on one's own circuit, captures sown again, laps in reverse.  Numbers: docs/rules/omweso.md.

Here are the rules between turns and the ends of a game; the sowing of a turn is in `omweso_turn`, the set-up phase in
`omweso_set_up`.
"""

from collections.abc import Iterable, Mapping

from arena.errors import InvalidPosition
from arena.games import four_row_text, omweso_set_up
from arena.games.four_row import MAX_LAPS, NEVER_ENDING
from arena.games.omweso_set_up import ARRANGED, SetUpCap
from arena.games.omweso_turn import CLOCKWISE, COLUMNS, COUNTER_CLOCKWISE, OKWESERA, PITS, Turn
from arena.games.options import Choice, Number, OptionValue, Switch, shown
from arena.games.outcome import NORTH, SOUTH, Move, Outcome, Side, counted, opponent_of
from arena.games.position import Draft, Position, Progress
from arena.games.rules import Rules, checked_pair, checked_pits, checked_side

ARRANGEMENTS = {                # of each player's 32 seeds [O1]
    "outer4": (0,) * COLUMNS + (4,) * COLUMNS,
    "inner4": (4,) * COLUMNS + (0,) * COLUMNS,
    "all2": (2,) * PITS,
    "free": (0,) * PITS,
}
POINTS = {                      # of the winner; the loser has none [O8]
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
        self.max_laps: int = self.number("max_laps")
        self.has_okwesera: bool = self._values["okwesera"] is True
        self.has_reverse: bool = self._values["reverse"] is True
        self.has_okutema: bool = self._values["okutema"] is True
        self.has_akakyala: bool = self._values["akakyala"] is True

    def initial(self) -> Position:
        facts = omweso_set_up.ARRANGING if self.arrangement == "free" else ARRANGED
        return Position(self, ARRANGEMENTS[self.arrangement] * 2, (0, 0), SOUTH, Progress(facts=facts))

    def position(self, pits: Iterable[int], stores: Iterable[int] | None = None, to_move: Side = SOUTH,
                 turns: Iterable[int] = (1, 1), cap_turns: Iterable[int] = (0, 0)) -> Position:
        """A position given by hand, any number of seeds in any pit, the set-up done.

        `turns`, `cap_turns`: how many turns, and capturing turns, (South, North) have made.  Raises: InvalidPosition.
        """
        board = checked_pits(self, pits)
        if stores is not None and checked_pair("stores", stores) != (0, 0):
            raise InvalidPosition("Omweso has no stores: leave them out, or (0, 0)")
        made, captured = checked_pair("turns", turns), checked_pair("cap_turns", cap_turns)
        facts = min(made[0], 1), min(made[1], 1), min(captured[0], 2), min(captured[1], 2), 0
        return Position(self, board, (0, 0), checked_side(to_move), Progress(facts=facts))

    def restore(self, pits: tuple[int, ...], stores: tuple[int, ...], to_move: Side, progress: Progress) -> Position:
        turns, cap_turns, is_arranging = progress.facts[:2], progress.facts[2:4], progress.facts[4]
        position = self.position(pits, stores, to_move, turns, cap_turns)
        if progress.ending and (progress.ending not in (*POINTS, NEVER_ENDING) or is_arranging):
            raise InvalidPosition(f"no game of Omweso ends with {shown(progress.ending)} here")
        if not is_arranging:
            return Position(self, position.pits, (0, 0), to_move, Progress(0, position.facts, progress.ending))
        if self.arrangement != "free":
            raise InvalidPosition("seeds are arranged only with setup=free")
        begun = Position(self, position.pits, (0, 0), to_move, Progress(facts=progress.facts))
        omweso_set_up.check_begun(begun, self.set_up_cap)
        return begun

    def is_set_up(self, position: Position) -> bool:
        return position.facts[4] > 0

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Pits of two seeds or more [O3], then those of three to lay out [O4]; in mid-turn the two directions [O6]."""
        if position.ending:
            return ()
        if self.is_set_up(position):
            return omweso_set_up.legal_moves(position, self.set_up_cap)
        if position.turn_moves:
            return COUNTER_CLOCKWISE, CLOCKWISE
        own = position.pits_of(position.to_move)
        moves = [pit for pit, seeds in enumerate(own) if seeds >= 2]
        if self.has_okwesera and position.facts[2:4] == (0, 0):
            moves += [OKWESERA + pit for pit, seeds in enumerate(own) if seeds == 3]
        return tuple(moves)

    def advance(self, draft: Draft, move: Move) -> Position:
        start = draft.start
        if self.is_set_up(start):
            return omweso_set_up.place(draft, move)
        turn = Turn(start.turn_start, self.max_laps, self.has_reverse)
        for earlier in start.turn_moves:
            turn.make(earlier)
        turn.watch(draft.steps)
        turn.make(move)
        moves = (*start.turn_moves, move)
        if turn.never_ends:                                                 # O7: the boards as before the turn
            return self._annulled(start.turn_start)
        draft.pits = turn.board()
        if turn.is_asking:
            return draft.freeze(draft.mover, Progress(turn.hand, start.facts, "", start.turn_start, moves))
        return self._complete(draft, turn.captured_columns)

    def outcome(self, position: Position) -> Outcome | None:
        """An ending of the turn just completed; or the side to move has no pit of two seeds, and loses [O8]."""
        if position.ending == NEVER_ENDING:
            return self.adjudicate(position, NEVER_ENDING)
        if not position.ending and position.legal_moves():
            return None
        winner, ending = opponent_of(position.to_move), position.ending or "bulijo"
        points = 2 * POINTS[ending]
        seeds = position.seeds_of(SOUTH), position.seeds_of(NORTH)
        return counted(winner, ending, seeds, (points, 0) if winner == SOUTH else (0, points))

    def adjudicate(self, position: Position, ending: str) -> Outcome:
        """The game is annulled: nobody wins, no points [O7, O9]."""
        return counted(None, ending, (position.seeds_of(SOUTH), position.seeds_of(NORTH)), (0, 0))

    def turn_text(self, position: Position, moves: tuple[Move, ...]) -> str:
        return four_row_text.omweso_turn_text(position, moves)

    def parse_turn(self, position: Position, text: str) -> tuple[Move, ...]:
        return four_row_text.parse_omweso_turn(position, text)

    def _annulled(self, before: Position) -> Position:
        return Position(self, before.pits, (0, 0), before.to_move, Progress(0, before.facts, NEVER_ENDING))

    def _complete(self, draft: Draft, captured_columns: set[int]) -> Position:
        """The position after a turn that made captures in these columns, and what it won [O8]."""
        mover, before = draft.mover, draft.start.facts
        turns, captures = list(before[:2]), list(before[2:4])
        turns[mover] = 1
        if captured_columns:
            captures[mover] = min(captures[mover] + 1, 2)
        opponent = opponent_of(mover)
        theirs = draft.pits[opponent * PITS:(opponent + 1) * PITS]
        ending = self._award(captured_columns, theirs, captures[mover], captures[opponent])
        return draft.freeze(opponent, Progress(0, (*turns, *captures, 0), ending))

    def _award(self, captured_columns: set[int], theirs: list[int], captures: int, their_captures: int) -> str:
        """The highest award of a completed turn, "" for none [O8]."""
        if captured_columns and not any(theirs):
            return "akawumbi"
        if self.has_okutema and captured_columns and not any(theirs[:COLUMNS]):
            return "okutema_front_row"
        if self.has_okutema and {0, COLUMNS - 1} <= captured_columns:
            return "okutema_both_ends"
        if self.has_akakyala and captures == 2 and their_captures == 0:
            return "akakyala"
        return ""
