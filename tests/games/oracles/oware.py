"""A slow second Oware, written from the rule text alone; numbers: docs/rules/oware.md.

A state is the whole game so far: every board, oldest first.  Whatever the rules ask of the past is counted again
from there, so nothing can go stale.  Holes are (owner, number), seeds travel one at a time.
"""

from fractions import Fraction
from typing import Any, NamedTuple

Hole = tuple[int, int]
Verdict = tuple[int | None, str, tuple[int, int], tuple[Fraction, Fraction]]

SIZE = 6


class Board(NamedTuple):
    seeds: dict[Hole, int]
    stores: tuple[int, int]
    to_move: int


State = tuple[Board, ...]


class Oracle:
    """Plays by the book and remembers everything."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.may_win_by_slam = options.get("grand_slam", "forfeit") == "win25"
        self.quiet_limit = options.get("quiet_limit", 500)

    def initial(self) -> State:
        return self.start([4] * (2 * SIZE), (0, 0), 0)

    def start(self, pits: list[int], stores: tuple[int, int], to_move: int) -> State:
        """A game that begins from this board; `pits` are South's row, then North's."""
        holes = [(owner, number) for owner in (0, 1) for number in range(SIZE)]
        return (Board(dict(zip(holes, pits, strict=True)), stores, to_move),)

    def view(self, state: State) -> tuple[tuple[int, ...], tuple[int, int], int, int]:
        board = state[-1]
        return tuple(board.seeds[hole] for hole in sorted(board.seeds)), board.stores, board.to_move, 0

    def legal(self, state: State) -> list[int]:
        return [] if self.outcome(state) else possible_moves(state[-1])

    def play(self, state: State, move: int) -> State:
        board = state[-1]
        mover = board.to_move
        seeds = dict(board.seeds)
        last = sow(seeds, (mover, move))                                       # O4
        spoils = chain(seeds, last, mover)                                     # O6, O7
        takings = sum(seeds[hole] for hole in spoils)
        slam = takings > 0 and takings == row(seeds, 1 - mover)                # O8
        wins_by_slam = self.may_win_by_slam and board.stores[mover] + takings >= 25
        stores = list(board.stores)
        if not slam or wins_by_slam:
            for hole in spoils:
                stores[mover] += seeds[hole]
                seeds[hole] = 0
        return (*state, Board(seeds, (stores[0], stores[1]), 1 - mover))

    def outcome(self, state: State) -> Verdict | None:
        board = state[-1]
        if max(board.stores) >= 25:                                            # O9
            return verdict("majority", board.stores)
        mine = board.stores[0] + row(board.seeds, 0), board.stores[1] + row(board.seeds, 1)
        if has_come_back(state):                                               # O10
            return verdict("repetition", mine)
        if not possible_moves(board):                                          # O11
            return verdict("no_moves", mine)
        if quiet_moves(state) >= self.quiet_limit:
            return verdict("quiet_limit", mine)
        return None


def possible_moves(board: Board) -> list[int]:
    mover = board.to_move
    filled = [number for number in range(SIZE) if board.seeds[mover, number] > 0]
    if row(board.seeds, 1 - mover) > 0:                                        # O2
        return filled
    return [number for number in filled if board.seeds[mover, number] > SIZE - 1 - number]    # O3


def row(seeds: dict[Hole, int], owner: int) -> int:
    return sum(count for (side, _), count in seeds.items() if side == owner)


def following(hole: Hole) -> Hole:
    owner, number = hole
    return (owner, number + 1) if number + 1 < SIZE else (1 - owner, 0)


def preceding(hole: Hole) -> Hole:
    owner, number = hole
    return (owner, number - 1) if number > 0 else (1 - owner, SIZE - 1)


def sow(seeds: dict[Hole, int], origin: Hole) -> Hole:
    """Lift the origin and drop its seeds one by one, never into the origin; the hole of the last seed."""
    hand, seeds[origin] = seeds[origin], 0
    hole = origin
    while hand > 0:
        hole = following(hole)
        if hole != origin:
            seeds[hole] += 1
            hand -= 1
    return hole


def chain(seeds: dict[Hole, int], last: Hole, mover: int) -> list[Hole]:
    """The holes that the last seed captures, backwards from its own."""
    taken: list[Hole] = []
    hole = last
    while hole[0] != mover and seeds[hole] in (2, 3) and hole not in taken:
        taken.append(hole)
        hole = preceding(hole)
    return taken


def has_come_back(state: State) -> bool:
    """Whether the board now, with the same side to move, was there before."""
    now = state[-1]
    return any(then.seeds == now.seeds and then.to_move == now.to_move for then in state[:-1])


def quiet_moves(state: State) -> int:
    """How many moves have passed since a store last grew."""
    return sum(1 for board in state if board.stores == state[-1].stores) - 1


def verdict(ending: str, total: tuple[int, int]) -> Verdict:
    south, north = total                                                       # O12
    if south == north:
        return None, ending, total, (Fraction(1, 2), Fraction(1, 2))
    return (0, ending, total, (Fraction(1), Fraction(0))) if south > north else \
        (1, ending, total, (Fraction(0), Fraction(1)))
