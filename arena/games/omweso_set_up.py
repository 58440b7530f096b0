"""The set-up phase of Omweso: each player arranges thirty-two seeds, South first, one pit a move [O2]."""

from __future__ import annotations

from collections.abc import Mapping

from arena.errors import InvalidPosition
from arena.games.board import Board, Progress
from arena.games.native import Final, i64
from arena.games.omweso_turn import PITS
from arena.games.options import NumberOrNone, OptionValue
from arena.games.outcome import NORTH, SOUTH, Move, Step
from arena.games.position import Position

SET_UP: Final = 40                     # added to the number of seeds that the next pit gets
SEEDS: Final = 32                      # of each player

ARRANGING = (0, 0, 0, 0, 1)     # facts of a position: no turn made, nothing captured, seeds still to arrange
ARRANGED = (0, 0, 0, 0, 0)


class SetUpCap(NumberOrNone):
    """Most seeds in one pit; another value than the default makes sense only where players arrange their seeds."""

    def accepts(self, value: object, values: Mapping[str, OptionValue]) -> bool:
        return super().accepts(value, values) and (values["setup"] == "free" or value == self.default)

    def valid(self, values: Mapping[str, OptionValue]) -> str:
        return super().valid(values) if values["setup"] == "free" else f"{self.default} unless setup=free"

    def describe(self) -> dict[str, object]:
        return {**super().describe(), "only_with": {"setup": "free"}}


def legal_moves(board: Board, cap: int | None) -> tuple[Move, ...]:
    """The counts for the next pit with which the later pits can still take the rest under the cap."""
    most = SEEDS if cap is None else cap
    left = SEEDS - board.seeds_of(board.to_move)
    later_pits = PITS - 1 - len(board.progress.moves)
    return tuple(range(SET_UP + max(0, left - later_pits * most), SET_UP + min(most, left) + 1))


def place(start: Board, move: i64, board: Board) -> None:
    """Put the seeds into the next pit; after the sixteenth the other side arranges, or South makes the first turn."""
    side = board.to_move
    earlier = board.progress.moves
    pit = side * PITS + len(earlier)
    seeds = move - SET_UP
    board.pits[pit] = seeds
    if board.steps is not None:
        board.steps.extend([Step("drop", pit, 1, side)] * seeds)
    if len(earlier) + 1 < PITS:
        board.progress = Progress(0, ARRANGING, "", board.progress.start or start, (*earlier, move))
    elif side == SOUTH:
        board.to_move = NORTH
        board.progress = Progress(facts=ARRANGING)
    else:
        board.to_move = SOUTH
        board.progress = Progress(facts=ARRANGED)


def check_begun(position: Position, cap: int | None) -> None:
    """Whether this is a position in which a side begins to arrange.  Raises: InvalidPosition."""
    south, north = position.pits_of(SOUTH), position.pits_of(NORTH)
    most = SEEDS if cap is None else cap
    is_arranged = not any(south) if position.to_move == SOUTH else sum(south) == SEEDS and max(south) <= most
    if position.facts != ARRANGING or any(north) or not is_arranged:
        raise InvalidPosition(
            "while seeds are arranged nobody has made a turn, North's pits are empty, and so are South's until he has"
            f" arranged all {SEEDS}, at most {most} in a pit"
        )
