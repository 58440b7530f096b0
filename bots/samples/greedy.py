"""Looks one turn ahead: takes what leaves the most seeds in its own store, or at least on its own side.

It knows only `position`: what is legal, what a move leads to, and what the board then says.
"""

from arena.games import Position


def choose_move(position: Position) -> int:
    side = position.to_move
    return max(position.legal_moves(), key=lambda move: lead(end_of_turn(position.play(move), side), side))


def end_of_turn(position: Position, side: int) -> Position:
    """Some games ask for several decisions in one turn; here the first choice will do for the rest of them."""
    while position.hand and position.to_move == side and position.outcome() is None:
        position = position.play(position.legal_moves()[0])
    return position


def lead(position: Position, side: int) -> tuple[int, int]:
    """How far `side` is ahead: in seeds captured, then in seeds on its half of the board."""
    south, north = position.stores
    half = len(position.pits) // 2
    row = sum(position.pits[:half]) - sum(position.pits[half:])
    return (south - north, row) if side == 0 else (north - south, -row)
