"""A position of a game, immutable: what bots, referees and viewers see of a board."""

from __future__ import annotations

from arena.errors import IllegalMove
from arena.games.board import BETWEEN_TURNS, Board, Progress, board_of
from arena.games.native import mypyc_attr
from arena.games.options import shown
from arena.games.outcome import Move, Outcome, Pair, Side, Step

TYPE_CHECKING = False           # as in outcome.py
if TYPE_CHECKING:
    from arena.games.rules import Rules

_LISTED = 40                    # legal moves that an error names


@mypyc_attr(acyclic=True, free_list_len=1)
class Position:
    """A board and whose move it is, under one ruleset; equal by value, usable as a key, picklable.

    Made by `rules.initial()` and `rules.position(...)`, which check it; then only by `play`.
    """

    __slots__ = ("_board", "_legal", "_pits", "_rules")

    def __init__(self, rules: Rules, board: Board) -> None:
        """The board is the position's own from now on: nobody else may change it."""
        self._rules = rules
        self._board = board
        self._legal: tuple[Move, ...] | None = None     # these two are worked out when first asked for
        self._pits: tuple[int, ...] | None = None

    @property
    def rules(self) -> Rules:
        return self._rules

    @property
    def board(self) -> Board:
        """What the rules read; to be copied by who wants to change it."""
        return self._board

    @property
    def pits(self) -> tuple[int, ...]:
        """South's pits, then North's, each in that side's own order (docs/rules)."""
        pits = self._pits
        if pits is None:
            pits = self._pits = self._board.counts()
        return pits

    @property
    def stores(self) -> Pair:
        """Seeds taken by (South, North)."""
        return self._board.stores()

    @property
    def to_move(self) -> Side:
        """0 South, 1 North; without meaning once the game is over."""
        return self._board.to_move

    @property
    def hand(self) -> int:
        """Seeds lifted in this turn and not yet sown; 0 between turns."""
        return self._board.progress.hand

    @property
    def facts(self) -> tuple[int, ...]:
        return self._board.progress.facts

    @property
    def ending(self) -> str:
        """How the last move ended the game, where the board does not tell, else ""; people ask `outcome()`."""
        return self._board.progress.ending

    @property
    def turn_start(self) -> Position:
        """The position in which the turn began: itself between turns."""
        start = self._board.progress.start
        return self if start is None else Position(self._rules, start)

    @property
    def turn_moves(self) -> tuple[Move, ...]:
        """The moves of the turn so far."""
        return self._board.progress.moves

    def is_mid_turn(self) -> bool:
        """True while the side to move still owes decisions of a turn already begun."""
        return self._rules.is_mid_turn(self._board)

    def pits_of(self, side: Side) -> tuple[int, ...]:
        """One side's pits, in its own order."""
        half = len(self.pits) // 2
        return self.pits[half:] if side else self.pits[:half]

    def seeds_of(self, side: Side) -> int:
        """How many seeds lie in one side's pits."""
        return self._board.seeds_of(side)

    def legal_moves(self) -> tuple[Move, ...]:
        """Ascending; empty exactly when the board ends the game."""
        legal = self._legal
        if legal is None:
            legal = self._legal = self._rules.legal_moves(self._board)
        return legal

    def play(self, move: object) -> Position:
        """The position after a move.  Raises: IllegalMove."""
        legal = self.checked(move)
        after = self._board.copy()
        self._rules.advance(self._board, legal, after)
        return Position(self._rules, after)

    def trace(self, move: object) -> tuple[Step, ...]:
        """The steps of a move, in order.  Raises: IllegalMove."""
        legal = self.checked(move)
        after = self._board.copy()
        steps: list[Step] = []
        after.steps = steps
        self._rules.advance(self._board, legal, after)
        return tuple(steps)

    def outcome(self) -> Outcome | None:
        """How the board ends the game; what needs history (repetition, limits) is `Game`'s to know."""
        return None if self.legal_moves() else self._rules.outcome(self._board)

    def checked(self, move: object) -> Move:
        """The move, if it is exactly an int and legal.  Raises: IllegalMove, naming the move and the legal ones."""
        legal = self.legal_moves()
        if type(move) is int and move in legal:
            return move
        if not legal:
            raise IllegalMove(f"move {shown(move)} is illegal: the game is over")
        some = ", ".join([str(each) for each in legal[:_LISTED]])
        more = ", …" if len(legal) > _LISTED else ""
        raise IllegalMove(f"move {shown(move)} is illegal here; legal are {some}{more}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self is other or (self._board == other._board and self._rules == other._rules)

    def __hash__(self) -> int:
        return hash((self.pits, self.stores, self.to_move))

    def __reduce__(self) -> tuple[object, ...]:
        progress = self._board.progress
        return restored, (self._rules, self.pits, self.stores, self.to_move,
                          None if progress is BETWEEN_TURNS else progress)

    def __repr__(self) -> str:
        from arena.games.notation import position_text

        return f"<Position {position_text(self)}>"


def restored(rules: Rules, pits: tuple[int, ...], stores: Pair, to_move: Side, progress: Progress | None) -> Position:
    """The position that was pickled."""
    return Position(rules, board_of(pits, stores, to_move, progress or BETWEEN_TURNS))
