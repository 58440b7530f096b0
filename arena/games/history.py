"""What a game's past says about its end: repetition, moves without capture, and turns made."""

from __future__ import annotations

from arena.games.board import Board
from arena.games.met import Met
from arena.games.rules import Rules


class History:
    """The turns of a game so far, and the boards between them that may occur again."""

    __slots__ = ("_met", "_plies", "_quiet", "_rules", "turns")

    def __init__(self, rules: Rules, start: Board) -> None:
        self._rules = rules
        self._met = Met()
        self._met.note(start, 0)
        self._plies = 0                             # turns after the set-up
        self._quiet = 0                             # turns in a row that changed no store
        self.turns = 0

    def finish_turn(self, before: Board, after: Board) -> str:
        """Count a turn that led from one board to another; the ending that it gives the game, or ""."""
        rules = self._rules
        self.turns += 1
        if not rules.is_arranging(before):
            self._plies += 1
        if before.south == after.south and before.north == after.north:
            self._quiet += 1
        else:                           # seeds that left the board never come back: no earlier board can recur
            self._quiet = 0
            self._met = Met()
        if self._met.note(after, 0) + 1 >= rules.occurrences:
            return "repetition"
        if rules.quiet_limit is not None and self._quiet >= rules.quiet_limit:
            return "quiet_limit"
        if rules.ply_limit is not None and self._plies >= rules.ply_limit:
            return "ply_cap"
        return ""

    def copy(self, start: Board) -> History:
        """A history of its own with the same past; `start` is the board on which it began."""
        twin = History(self._rules, start)
        twin._met = self._met.copy()
        twin._plies, twin._quiet, twin.turns = self._plies, self._quiet, self.turns
        return twin
