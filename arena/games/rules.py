"""What every game must answer, and what is the same for all: options, identity, checks of a position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

from arena.errors import InvalidPosition
from arena.games.board import MOST_SEEDS, Board, Progress
from arena.games.native import i64
from arena.games.options import Option, OptionValue, canonical, complete, shown
from arena.games.outcome import Move, Outcome, Pair, Side
from arena.games.position import Position

TYPE_CHECKING = False           # as in outcome.py
if TYPE_CHECKING:
    from typing import ClassVar


class Rules(ABC):
    """The rules of one game with its options; has no state but those.  Two with one `ruleset` are equal.

    A game sets the class variables and answers the abstract methods; the limits that need a game's history
    are numbers which `Game` reads.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    declared: ClassVar[tuple[Option, ...]] = ()
    rows: ClassVar[int] = 1                             # rows of pits on each side
    has_stores: ClassVar[bool] = True                   # whether captured seeds leave the board
    moves_in_turn: ClassVar[int | None] = None          # None: it varies
    order_matters: ClassVar[bool] = True                # of the moves after a turn's first
    facts: ClassVar[tuple[tuple[str, int], ...]] = ()   # names of `Position.facts`, and how many numbers each has

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        self._values: dict[str, OptionValue] = complete(self.name, self.declared, options or {})
        chosen = canonical(self.declared, self._values)
        self._ruleset: str = f"{self.name}:{chosen}" if chosen else self.name
        self.pits_a_side: int = 0
        self.occurrences: int = 2                       # a position that occurs so often ends the game
        self.quiet_limit: int | None = None             # moves in a row without capture that end it
        self.ply_limit: int | None = None               # turns, set-up not counted, that end it

    @property
    def ruleset(self) -> str:
        """The canonical name: `urim:pits=7,seeds=4`."""
        return self._ruleset

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """The values of all options, those left at their defaults too."""
        return dict(self._values)

    def number(self, option: str) -> int:
        """The value of an option that is a number."""
        value = self._values[option]
        assert isinstance(value, int), option
        return value

    @abstractmethod
    def initial(self) -> Position:
        """The position in which South makes the first move."""

    @abstractmethod
    def position(self, pits: Iterable[int], stores: Iterable[int] | None = None, to_move: object = 0) -> Position:
        """A position given by hand.  Raises: InvalidPosition."""

    @abstractmethod
    def legal_moves(self, board: Board) -> tuple[Move, ...]:
        """Ascending; () exactly when the board ends the game."""

    @abstractmethod
    def advance(self, start: Board, move: i64, board: Board) -> None:
        """Make a legal move of the board `start` on `board`, which is a copy of it."""

    @abstractmethod
    def outcome(self, board: Board) -> Outcome:
        """How a board without legal moves ends the game."""

    @abstractmethod
    def adjudicate(self, board: Board, ending: str) -> Outcome:
        """The outcome of a game that its history ended here: `repetition`, `quiet_limit` or `ply_cap`."""

    def lead(self, board: Board) -> i64:
        """By how much the side to move leads, for who has no better judgement: a seed taken counts four, one that lies
        on its side or in its hand one.
        """
        south = 4 * board.south + board.seeds_of(0)
        north = 4 * board.north + board.seeds_of(1)
        lead = south - north if board.to_move == 0 else north - south
        return lead + board.progress.hand

    def restore(self, pits: tuple[int, ...], stores: tuple[int, ...], to_move: Side, progress: Progress) -> Position:
        """The position that a line of text describes; `progress` holds its facts and ending.

        Raises: InvalidPosition.
        """
        if progress.ending:
            raise InvalidPosition(f"no position of {self.name} has ending={shown(progress.ending)}")
        return self.position(pits, stores, to_move)

    @abstractmethod
    def turn_text(self, position: Position, moves: tuple[Move, ...]) -> str:
        """The moves of a turn, made from `position`, as people write them."""

    @abstractmethod
    def parse_turn(self, position: Position, text: str) -> tuple[Move, ...]:
        """The legal moves a text stands for.  Raises: InvalidNotation, IllegalMove."""

    def is_mid_turn(self, board: Board) -> bool:
        """Whether the side to move has decisions left of a turn already begun."""
        return len(board.progress.moves) > 0

    def is_set_up(self, position: Position) -> bool:
        """Whether the players still arrange their seeds; such turns do not count as plies."""
        return self.is_arranging(position.board)

    def is_arranging(self, board: Board) -> bool:
        """The same of a board."""
        return False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        return self is other or self._ruleset == other._ruleset

    def __hash__(self) -> int:
        return hash(self._ruleset)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._values,)

    def __repr__(self) -> str:
        return f"<Rules {self._ruleset}>"


def checked_pits(rules: Rules, pits: Iterable[int]) -> tuple[int, ...]:
    """The pits as a tuple, of the right number and none negative.  Raises: InvalidPosition."""
    return _checked_counts("pits", pits, 2 * rules.pits_a_side)


def checked_pair(name: str, counts: Iterable[int]) -> Pair:
    """Two counts, South's and North's.  Raises: InvalidPosition."""
    south, north = _checked_counts(name, counts, 2)
    return south, north


def checked_side(to_move: object) -> Side:
    """0 or 1.  Raises: InvalidPosition."""
    if type(to_move) is not int or to_move not in (0, 1):
        raise InvalidPosition(f"to_move must be 0 (South) or 1 (North), not {shown(to_move)}")
    return to_move


def _checked_counts(name: str, counts: Iterable[int], length: int) -> tuple[int, ...]:
    try:
        given: tuple[object, ...] = tuple(counts)
    except TypeError:
        raise InvalidPosition(f"{name} must be a list of {length} whole numbers, not {shown(counts)}") from None
    if len(given) != length:
        raise InvalidPosition(f"{name} must be {length} whole numbers, not {len(given)}")
    checked: list[int] = []
    for count in given:
        if type(count) is not int or count < 0:
            raise InvalidPosition(f"{name} must be whole numbers from 0 up; {shown(count)} is none")
        if count > MOST_SEEDS:
            raise InvalidPosition(f"{name} must be at most {MOST_SEEDS}, not {shown(count)}")
        checked.append(count)
    return tuple(checked)
