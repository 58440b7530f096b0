"""Ways to sow and to capture that several games share."""

from __future__ import annotations

from arena.games.board import Board
from arena.games.native import Final, i64, vec

LAPS_UNWATCHED: Final = 32      # of a relay: so many are sown before it is sown again, watched for a cycle


def sow_past_origin(board: Board, origin: i64) -> i64:
    """Sow a pit round the whole board, passing over the pit itself; the pit of the last seed."""
    seeds = board.lift(origin)
    pits = board.pits
    size: i64 = len(pits)
    is_watched = board.steps is not None
    pit = origin
    while seeds:
        pit += 1
        if pit == size:
            pit = 0
        if pit != origin:
            pits[pit] += 1
            seeds -= 1
            if is_watched:
                board.dropped(pit)
    return pit


def sow_past_full(board: Board, origin: i64, full: i64) -> i64:
    """As `sow_past_origin`, passing over pits that hold `full` seeds as well."""
    seeds = board.lift(origin)
    pits = board.pits
    size: i64 = len(pits)
    is_watched = board.steps is not None
    pit = origin
    while seeds:
        pit += 1
        if pit == size:
            pit = 0
        if pit != origin and pits[pit] < full:
            pits[pit] += 1
            seeds -= 1
            if is_watched:
                board.dropped(pit)
    return pit


def chain_length(pits: vec[i64], last: i64, first: i64, most: i64) -> i64:
    """How many pits a last seed wins: its own, and those before it in the opponent's row, which begins at `first`.

    The last pit must hold two or three, those before it two to `most`; the first other pit ends the chain.
    """
    half: i64 = len(pits) // 2
    if not first <= last < first + half or not 2 <= pits[last] <= 3:
        return 0
    pit = last - 1
    while pit >= first and 2 <= pits[pit] <= most:
        pit -= 1
    return last - pit


def capture_chain(board: Board, last: i64, length: i64) -> None:
    """Capture so many pits for the mover, the last one first."""
    pit: i64
    for pit in range(last, last - length, -1):
        board.capture(pit, board.to_move)


def is_grand_slam(pits: vec[i64], last: i64, length: i64, first: i64) -> bool:
    """Whether so many pits, `last` and those before it, hold every seed of the row that begins at `first`."""
    half: i64 = len(pits) // 2
    return not any(pits[pit] for pit in range(first, first + half) if not last - length < pit <= last)
