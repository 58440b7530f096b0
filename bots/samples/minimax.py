"""Looks four decisions ahead and takes the best line against the best answers (minimax with alpha-beta cuts).

It plays every game: whose decision comes next is read from the position, never assumed.  The same position always gets
the same answer, unless time runs short: then it takes the best move found so far.
"""

from time import perf_counter

from arena.games import Position

DEPTH = 4  # decisions to look ahead
POSITIONS = 3_000  # and at most so many positions: some games have many choices
WIN = 10_000  # more than any lead in seeds


def choose_move(position: Position, clock) -> int:  # type: ignore[no-untyped-def]  # turn_ms, bank_ms, last_charged_ms
    seconds = (0.8 * clock.turn_ms + 0.05 * clock.bank_ms) / 1000
    search = Search(position.to_move, perf_counter() + seconds)
    best = position.legal_moves()[0]
    for depth in range(1, DEPTH + 1):
        try:
            best = search.best_move(position, depth, best)
        except EnoughSeen:
            break
    return best


class EnoughSeen(Exception):
    """No more positions, or no more time, for this move."""


class Search:
    """One move's search for `side`, which wants the value high; the opponent wants it low."""

    def __init__(self, side: int, deadline: float) -> None:
        self.side = side
        self.deadline = deadline
        self.positions_left = POSITIONS

    def best_move(self, position: Position, depth: int, first: int) -> int:
        """The move of the highest value; of several, the one tried first (`first`, then in order)."""
        best, highest = first, self.value(position.play(first), depth - 1, -2 * WIN, 2 * WIN)
        for move in position.legal_moves():
            value = self.value(position.play(move), depth - 1, highest, 2 * WIN)
            if value > highest:
                best, highest = move, value
        return best

    def value(self, position: Position, depth: int, low: int, high: int) -> int:
        """What the position is worth; exact between `low` and `high`, else only known to be outside."""
        self.count()
        outcome = position.outcome()
        if outcome is not None:
            if outcome.winner is None:
                return 0
            soon = WIN + depth
            return soon if outcome.winner == self.side else -soon
        if depth == 0:
            return self.judge(position)
        is_ours = position.to_move == self.side
        for move in position.legal_moves():
            value = self.value(position.play(move), depth - 1, low, high)
            if is_ours:
                low = max(low, value)
            else:
                high = min(high, value)
            if low >= high:
                break
        return low if is_ours else high

    def judge(self, position: Position) -> int:
        """Seeds captured count four times as much as seeds on the own half of the board."""
        half = len(position.pits) // 2
        row = self.lead(sum(position.pits[:half]), sum(position.pits[half:]))
        return 4 * self.lead(*position.stores) + row

    def lead(self, south: int, north: int) -> int:
        return south - north if self.side == 0 else north - south

    def count(self) -> None:
        self.positions_left -= 1
        if self.positions_left < 0 or perf_counter() > self.deadline:
            raise EnoughSeen
