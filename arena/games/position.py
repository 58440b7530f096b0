"""A position of a game, immutable, and the draft on which one move is worked out."""

from __future__ import annotations

from arena.errors import IllegalMove
from arena.games.options import shown
from arena.games.outcome import HAND, Move, Outcome, Pair, Side, Step

TYPE_CHECKING = False           # as in outcome.py
if TYPE_CHECKING:
    from arena.games.rules import Rules

_LISTED = 40                    # legal moves that an error names


class Progress:
    """What a position holds beside the board: where its turn and its game have got to.

    `hand`: seeds lifted and not yet sown.  `facts`: small numbers that only the game itself reads, named in
    `Rules.facts`.  `ending`: how the last move ended the game, where the board alone does not tell, else "".
    `start`, `moves`: the turn so far, from the position it began in; None and () between turns.
    """

    __slots__ = ("_ending", "_facts", "_hand", "_moves", "_start")

    def __init__(self, hand: int = 0, facts: tuple[int, ...] = (), ending: str = "",
                 start: Position | None = None, moves: tuple[Move, ...] = ()) -> None:
        self._hand = hand
        self._facts = facts
        self._ending = ending
        self._start = start
        self._moves = moves

    @property
    def hand(self) -> int:
        return self._hand

    @property
    def facts(self) -> tuple[int, ...]:
        return self._facts

    @property
    def ending(self) -> str:
        return self._ending

    @property
    def start(self) -> Position | None:
        return self._start

    @property
    def moves(self) -> tuple[Move, ...]:
        return self._moves

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Progress):
            return NotImplemented
        return self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def __reduce__(self) -> tuple[object, ...]:
        return Progress, self._value()

    def _value(self) -> tuple[int, tuple[int, ...], str, Position | None, tuple[Move, ...]]:
        return self._hand, self._facts, self._ending, self._start, self._moves


BETWEEN_TURNS = Progress()


class Position:
    """A board and whose move it is, under one ruleset; equal by value, usable as a key, picklable.

    Made by `rules.initial()` and `rules.position(...)`, which check it; then only by `play`.
    """

    __slots__ = ("_legal", "_pits", "_progress", "_rules", "_stores", "_to_move")

    def __init__(self, rules: Rules, pits: tuple[int, ...], stores: Pair, to_move: Side,
                 progress: Progress = BETWEEN_TURNS) -> None:
        self._rules = rules
        self._pits = pits
        self._stores = stores
        self._to_move = to_move
        self._progress = progress
        self._legal: tuple[Move, ...] | None = None     # worked out once, when first asked

    @property
    def rules(self) -> Rules:
        return self._rules

    @property
    def pits(self) -> tuple[int, ...]:
        """South's pits, then North's, each in that side's own order (docs/rules)."""
        return self._pits

    @property
    def stores(self) -> Pair:
        """Seeds taken by (South, North)."""
        return self._stores

    @property
    def to_move(self) -> Side:
        """0 South, 1 North; without meaning once the game is over."""
        return self._to_move

    @property
    def hand(self) -> int:
        """Seeds lifted in this turn and not yet sown; 0 between turns."""
        return self._progress.hand

    @property
    def facts(self) -> tuple[int, ...]:
        return self._progress.facts

    @property
    def ending(self) -> str:
        """How the last move ended the game, where the board does not tell, else ""; people ask `outcome()`."""
        return self._progress.ending

    @property
    def turn_start(self) -> Position:
        """The position in which the turn began: itself between turns."""
        start = self._progress.start
        return self if start is None else start

    @property
    def turn_moves(self) -> tuple[Move, ...]:
        """The moves of the turn so far."""
        return self._progress.moves

    def is_mid_turn(self) -> bool:
        """True while the side to move still owes decisions of a turn already begun."""
        return self._rules.is_mid_turn(self)

    def pits_of(self, side: Side) -> tuple[int, ...]:
        """One side's pits, in its own order."""
        half = len(self._pits) // 2
        return self._pits[half:] if side else self._pits[:half]

    def seeds_of(self, side: Side) -> int:
        """How many seeds lie in one side's pits."""
        return sum(self.pits_of(side))

    def filled(self) -> tuple[Move, ...]:
        """The pits of the side to move that hold seeds."""
        return tuple([pit for pit, seeds in enumerate(self.pits_of(self._to_move)) if seeds])

    def legal_moves(self) -> tuple[Move, ...]:
        """Ascending; empty exactly when the board ends the game."""
        legal = self._legal
        if legal is None:
            legal = self._legal = self._rules.legal_moves(self)
        return legal

    def play(self, move: object) -> Position:
        """The position after a move.  Raises: IllegalMove."""
        return self._rules.advance(Draft(self, None), self.checked(move))

    def trace(self, move: object) -> tuple[Step, ...]:
        """The steps of a move, in order.  Raises: IllegalMove."""
        steps: list[Step] = []
        self._rules.advance(Draft(self, steps), self.checked(move))
        return tuple(steps)

    def outcome(self) -> Outcome | None:
        """How the board ends the game; what needs history (repetition, limits) is `Game`'s to know."""
        return self._rules.outcome(self)

    def checked(self, move: object) -> Move:
        """The move, if it is exactly an int and legal.  Raises: IllegalMove, naming the move and the legal ones."""
        legal = self.legal_moves()
        if type(move) is int and move in legal:
            return move
        if not legal:
            raise IllegalMove(f"move {shown(move)} is illegal: the game is over")
        some = ", ".join(str(each) for each in legal[:_LISTED])
        more = ", …" if len(legal) > _LISTED else ""
        raise IllegalMove(f"move {shown(move)} is illegal here; legal are {some}{more}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self._pits == other._pits and self._to_move == other._to_move and self._stores == other._stores
                and self._progress == other._progress and self._rules == other._rules)

    def __hash__(self) -> int:
        return hash((self._pits, self._stores, self._to_move))

    def __reduce__(self) -> tuple[object, ...]:
        return Position, (self._rules, self._pits, self._stores, self._to_move, self._progress)

    def __repr__(self) -> str:
        from arena.games.notation import position_text

        return f"<Position {position_text(self)}>"


class Draft:
    """The board while one move is worked out: the only mutable thing, and it dies with the move.

    `start` is the position the move is made in; `steps` collects the trace, None when nobody watches.
    """

    __slots__ = ("mover", "pits", "start", "steps", "stores")

    def __init__(self, start: Position, steps: list[Step] | None) -> None:
        self.start = start
        self.mover: Side = start._to_move
        self.steps = steps
        self.pits: list[int] = list(start._pits)
        self.stores: list[int] = list(start._stores)

    def lift(self, pit: int) -> int:
        """Take all seeds of a pit into the hand."""
        seeds = self.pits[pit]
        self.pits[pit] = 0
        if self.steps is not None:
            self.steps.append(Step("lift", pit, seeds, self.mover))
        return seeds

    def dropped(self, pit: int) -> None:
        """Note for the trace that one seed fell; a sowing loop writes to `pits` itself, and calls this when watched."""
        if self.steps is not None:
            self.steps.append(Step("drop", pit, 1, self.mover))

    def capture(self, pit: int, side: Side) -> int:
        """Move all seeds of a pit to a side's store."""
        seeds = self.pits[pit]
        self.pits[pit] = 0
        self.stores[side] += seeds
        if self.steps is not None:
            self.steps.append(Step("capture", pit, seeds, side))
        return seeds

    def capture_hand(self, seeds: int, side: Side) -> None:
        """Move seeds from the hand to a side's store."""
        self.stores[side] += seeds
        if self.steps is not None:
            self.steps.append(Step("capture", HAND, seeds, side))

    def freeze(self, to_move: Side, progress: Progress = BETWEEN_TURNS) -> Position:
        """The finished position."""
        south, north = self.stores
        return Position(self.start._rules, tuple(self.pits), (south, north), to_move, progress)

    def pass_on(self) -> Position:
        """The finished position, the opponent to move."""
        return self.freeze(1 - self.mover)
