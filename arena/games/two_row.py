"""What Oware, Urim and Anywoli share: one row a side, a store each, one move a turn, the own-row rule."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping

from arena.errors import InvalidNotation, InvalidPosition
from arena.games.options import Number, OptionValue, shown
from arena.games.outcome import NORTH, SOUTH, Move, Outcome, Pair, Side, counted
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
        self.pits_a_side, self.seeds_a_pit = self.board()
        self.seeds: int = 2 * self.pits_a_side * self.seeds_a_pit

    @abstractmethod
    def board(self) -> Pair:
        """Pits on each side and seeds in each pit at the start."""

    def initial(self) -> Position:
        return Position(self, (self.seeds_a_pit,) * (2 * self.pits_a_side), (0, 0), SOUTH)

    def position(self, pits: Iterable[int], stores: Iterable[int] | None = None, to_move: Side = SOUTH) -> Position:
        """A position given by hand; `stores` are empty when left out.  Raises: InvalidPosition."""
        board = checked_pits(self, pits)
        taken = checked_pair("stores", (0, 0) if stores is None else stores)
        if sum(board) + sum(taken) != self.seeds:
            raise InvalidPosition(
                f"{self.ruleset} has {self.seeds} seeds, but pits and stores hold {shown(sum(board) + sum(taken))}"
            )
        self.check_board(board)
        return Position(self, board, taken, checked_side(to_move))

    def check_board(self, pits: tuple[int, ...]) -> None:
        """What a game demands of a board besides its number of seeds.  Raises: InvalidPosition."""

    def adjudicate(self, position: Position, ending: str) -> Outcome:
        """Each side adds the seeds of its own row [own-row rule]."""
        stores = position.stores
        return self.count(ending, (stores[0] + position.seeds_of(SOUTH), stores[1] + position.seeds_of(NORTH)))

    def count(self, ending: str, seeds: Pair) -> Outcome:
        """More seeds win a point, an equal split half a point each [O12, A12]."""
        south, north = seeds
        if south == north:
            return counted(None, ending, seeds, (1, 1))
        return counted(SOUTH, ending, seeds, (2, 0)) if south > north else counted(NORTH, ending, seeds, (0, 2))

    def row(self, side: Side) -> range:
        """The indices of one side's pits."""
        return range(side * self.pits_a_side, (side + 1) * self.pits_a_side)

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
