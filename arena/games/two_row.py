"""What Oware, Urim and Anywoli share: one row a side, a store each, one move a turn, the own-row rule."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping

from arena.errors import InvalidNotation, InvalidPosition
from arena.games.board import Board, board_of
from arena.games.native import i64
from arena.games.options import Number, OptionValue, shown
from arena.games.outcome import NORTH, SOUTH, Move, Outcome, Pair, counted
from arena.games.position import Position
from arena.games.rules import Rules, checked_pair, checked_pits, checked_side

QUIET_LIMIT = Number(
    "quiet_limit", (1, 500), 500, "so many moves in a row without a capture end the game; each keeps his own row"
)


class TwoRowRules(Rules):
    """Pits `0…n-1` are South's from his left, `n…2n-1` North's from his left; a move is the own pit, `0…n-1`."""

    moves_in_turn = 1

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.quiet_limit = self.number("quiet_limit")
        pits, seeds = self.at_start()
        self.pits_a_side = pits
        self.seeds_a_pit: int = seeds
        self.seeds: int = 2 * pits * seeds
        self.row_size: i64 = pits

    @abstractmethod
    def at_start(self) -> Pair:
        """Pits on each side and seeds in each pit at the start."""

    def initial(self) -> Position:
        return Position(self, board_of((self.seeds_a_pit,) * (2 * self.pits_a_side)))

    def position(self, pits: Iterable[int], stores: Iterable[int] | None = None, to_move: object = SOUTH) -> Position:
        """A position given by hand; `stores` are empty when left out.  Raises: InvalidPosition."""
        counts = checked_pits(self, pits)
        taken = checked_pair("stores", (0, 0) if stores is None else stores)
        total = sum(counts) + sum(taken)
        if total != self.seeds:
            raise InvalidPosition(f"{self.ruleset} has {self.seeds} seeds, but pits and stores hold {shown(total)}")
        self.check_pits(counts)
        return Position(self, board_of(counts, taken, checked_side(to_move)))

    def check_pits(self, pits: tuple[int, ...]) -> None:
        """What a game demands of a board besides its number of seeds.  Raises: InvalidPosition."""

    def adjudicate(self, board: Board, ending: str) -> Outcome:
        """Each side adds the seeds of its own row [own-row rule]."""
        return self.count(ending, (board.south + board.seeds_of(SOUTH), board.north + board.seeds_of(NORTH)))

    def count(self, ending: str, seeds: Pair) -> Outcome:
        """More seeds win a point, an equal split half a point each [O12, A12]."""
        south, north = seeds
        if south == north:
            return counted(None, ending, seeds, (1, 1))
        return counted(SOUTH, ending, seeds, (2, 0)) if south > north else counted(NORTH, ending, seeds, (0, 2))

    def first_of(self, side: i64) -> i64:
        """The index of a side's first pit."""
        return self.row_size * side

    def turn_text(self, position: Position, moves: tuple[Move, ...]) -> str:
        """The pit's number; there is one move in a turn."""
        if len(moves) != 1:
            raise InvalidNotation(f"a turn of {self.name} is one move, not {len(moves)}")
        position.checked(moves[0])
        return str(moves[0])

    def parse_turn(self, position: Position, text: str) -> tuple[Move, ...]:
        """A pit's number, or its traditional letter, large or small: `0` is `A` is `a`."""
        word = text.strip()
        move = -1
        if word.isascii() and word.isdigit() and len(word) <= 2:
            move = int(word)
        elif len(word) == 1 and word.isascii() and word.isalpha():
            move = ord(word.upper()) - ord("A")
        if not 0 <= move < self.pits_a_side:
            last = self.pits_a_side - 1
            raise InvalidNotation(
                f"{shown(text)} is no pit of {self.name}; write 0 to {last}, or A to {chr(ord('A') + last)}"
            )
        position.checked(move)
        return (move,)
