"""Any legal move.  The shortest bot there is, and the one every submitted bot is first tried against."""

import random

from arena.games import Position


def choose_move(position: Position) -> int:
    return random.choice(position.legal_moves())
