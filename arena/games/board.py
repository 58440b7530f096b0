"""A board: seeds in pits and stores, and whose decision comes next.  A move is made on a copy of one.

Rules read and write boards; everybody else sees a board through the `Position` that keeps it and never changes it.
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.games.native import Final, i64, mypyc_attr, vec
from arena.games.outcome import HAND, Move, Pair, Step

MOST_SEEDS: Final = 10**15      # in one pit or store of a position given by hand: all sums fit the machine's numbers

_CHUNK: Final = 8               # pits in a row whose moves are kept once made, so that not every board makes a list
_MOVES: Final[list[tuple[Move, ...]]] = []
_LARGEST: Final = (1 << 62) - 1  # of what the compiler keeps unboxed
# Multipliers without a pattern, one for each pit, and some for the rest of a board.
_WEIGHTS: Final = vec[i64]([pow(6364136223846793005, number, 1 << 62) for number in range(1, 145)])
_SOUTH_WEIGHT: Final = 1181783497276652981
_NORTH_WEIGHT: Final = 4292484099903637661


@mypyc_attr(acyclic=True)
class Progress:
    """What a position holds beside the board: where its turn and its game have got to.

    `hand`: seeds lifted and not yet sown.  `facts`: small numbers that only the game itself reads, named in
    `Rules.facts`.  `ending`: how the last move ended the game, where the board alone does not tell, else "".
    `start`, `moves`: the turn so far, from the board it began on; None and () between turns.
    """

    __slots__ = ("ending", "facts", "hand", "moves", "start")

    def __init__(self, hand: int = 0, facts: tuple[int, ...] = (), ending: str = "",
                 start: Board | None = None, moves: tuple[Move, ...] = ()) -> None:
        self.hand = hand
        self.facts = facts
        self.ending = ending
        self.start = start
        self.moves = moves

    def key(self) -> i64:
        """A number for all of it."""
        key: i64 = self.hand
        for fact in self.facts:
            key = key * 31 + fact
        for move in self.moves:
            key = key * 127 + move + 1
        if self.start is not None:
            key += self.start.checksum() >> 1
        return key * _SOUTH_WEIGHT & _LARGEST

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Progress):
            return NotImplemented
        return self is other or self._value() == other._value()

    def __hash__(self) -> int:
        return hash((self.hand, self.facts, self.ending, self.moves))

    def __reduce__(self) -> tuple[object, ...]:
        return Progress, self._value()

    def _value(self) -> tuple[int, tuple[int, ...], str, Board | None, tuple[Move, ...]]:
        return self.hand, self.facts, self.ending, self.start, self.moves


BETWEEN_TURNS: Final = Progress()


@mypyc_attr(acyclic=True, free_list_len=1)
class Board:
    """`pits`: South's, then North's, each in that side's own order.  `south`, `north`: the stores.

    `steps` collects the trace of a move, None when nobody watches.
    """

    __slots__ = ("north", "pits", "progress", "south", "steps", "to_move")

    def __init__(self, pits: vec[i64], south: i64, north: i64, to_move: i64, progress: Progress) -> None:
        self.pits = pits
        self.south: i64 = south
        self.north: i64 = north
        self.to_move: i64 = to_move
        self.progress = progress
        self.steps: list[Step] | None = None

    def copy(self) -> Board:
        """A board of its own that lies as this one."""
        return Board(self.pits[:], self.south, self.north, self.to_move, self.progress)

    def take(self, other: Board) -> None:
        """Lie as the other board."""
        pits, others = self.pits, other.pits
        for pit in range(len(pits)):
            pits[pit] = others[pit]
        self.south = other.south
        self.north = other.north
        self.to_move = other.to_move
        self.progress = other.progress

    def store_of(self, side: i64) -> i64:
        return self.north if side else self.south

    def stores(self) -> Pair:
        return self.south, self.north

    def seeds_of(self, side: i64) -> i64:
        """How many seeds lie in one side's pits."""
        pits = self.pits
        half: i64 = len(pits) // 2
        first = half * side
        seeds: i64 = 0
        for pit in range(first, first + half):
            seeds += pits[pit]
        return seeds

    def has_seeds(self, side: i64) -> bool:
        """Whether any seed lies in one side's pits."""
        pits = self.pits
        half: i64 = len(pits) // 2
        first = half * side
        for pit in range(first, first + half):          # noqa: SIM110  a generator is slow where it is interpreted
            if pits[pit]:
                return True
        return False

    def pits_with(self, least: i64) -> tuple[Move, ...]:
        """The pits of the side to move that hold so many seeds or more."""
        half: i64 = len(self.pits) // 2
        return self.moves_from(half * self.to_move, half, least, 0)

    def moves_from(self, first: i64, count: i64, least: i64, lowest: i64) -> tuple[Move, ...]:
        """Moves numbered from `lowest` on, one for each of so many pits that holds enough seeds."""
        pits = self.pits
        moves: tuple[Move, ...] = ()
        for start in range(0, count, _CHUNK):
            filled: i64 = 0
            for pit in range(start, min(start + _CHUNK, count)):
                if pits[first + pit] >= least:
                    filled |= 1 << (pit - start)
            if filled:
                some = _moves(lowest + start, filled)
                moves = moves + some if moves else some
        return moves

    # --- what a move does

    def lift(self, pit: i64) -> i64:
        """Take all seeds of a pit into the hand."""
        seeds = self.pits[pit]
        self.pits[pit] = 0
        if self.steps is not None:
            self.steps.append(Step("lift", pit, seeds, self.to_move))
        return seeds

    def dropped(self, pit: i64) -> None:
        """Note for the trace that one seed fell; a sowing loop writes to `pits` itself, and calls this when watched."""
        if self.steps is not None:
            self.steps.append(Step("drop", pit, 1, self.to_move))

    def capture(self, pit: i64, side: i64) -> i64:
        """Move all seeds of a pit to a side's store."""
        seeds = self.pits[pit]
        self.pits[pit] = 0
        self.bank(seeds, side)
        if self.steps is not None:
            self.steps.append(Step("capture", pit, seeds, side))
        return seeds

    def capture_hand(self, seeds: i64, side: i64) -> None:
        """Move seeds from the hand to a side's store."""
        self.bank(seeds, side)
        if self.steps is not None:
            self.steps.append(Step("capture", HAND, seeds, side))

    def bank(self, seeds: i64, side: i64) -> None:
        if side:
            self.north += seeds
        else:
            self.south += seeds

    # --- as a value

    def lies_as(self, other: Board) -> bool:
        """Whether the same seeds lie in the same pits and the same side is to move."""
        pits, others = self.pits, other.pits
        size: i64 = len(pits)
        if self.to_move != other.to_move or len(others) != size:
            return False
        return all(pits[pit] == others[pit] for pit in range(size))

    def checksum(self) -> i64:
        """A number that boards which lie the same share, and others rarely do."""
        pits = self.pits
        checksum = self.to_move
        for pit in range(len(pits)):
            checksum += pits[pit] * _WEIGHTS[pit]
        return checksum & _LARGEST

    def key(self) -> i64:
        """A number for the whole board, with stores and progress."""
        key = self.checksum() + self.south * _SOUTH_WEIGHT + self.north * _NORTH_WEIGHT
        return key + self.progress.key() & _LARGEST

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (self.lies_as(other) and self.south == other.south and self.north == other.north
                and self.progress == other.progress)

    def __hash__(self) -> int:
        return hash((self.counts(), self.stores(), self.to_move))

    def counts(self) -> tuple[int, ...]:
        """The seeds in each pit."""
        return tuple(self.pits)

    def __reduce__(self) -> tuple[object, ...]:
        return board_of, (self.counts(), self.stores(), self.to_move, self.progress)


def board_of(pits: Iterable[int], stores: Pair = (0, 0), to_move: int = 0, progress: Progress = BETWEEN_TURNS) -> Board:
    """A board with these seeds; nobody has checked them."""
    south, north = stores
    return Board(vec[i64](pits), south, north, to_move, progress)


def _moves(lowest: i64, filled: i64) -> tuple[Move, ...]:
    """The moves for the bits that are set, the lowest bit being this move; each such row is made once."""
    index = (lowest << _CHUNK) + filled
    while index >= len(_MOVES):
        _MOVES.extend([()] * (1 << _CHUNK))
    moves = _MOVES[index]
    if not moves:
        moves = _MOVES[index] = tuple([lowest + bit for bit in range(_CHUNK) if filled >> bit & 1])
    return moves
