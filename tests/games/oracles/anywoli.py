"""A slow second Anywoli, written from the rule text alone; numbers: docs/rules/anywoli.md.

A state is the list of all snapshots of the game, the newest last.  A move is told seed by seed to a small `Table`
that owns the rules of capture; nothing looks ahead.
"""

from fractions import Fraction
from typing import Any, NamedTuple

SIZE = 12
RING = 2 * SIZE

Verdict = tuple[int | None, str, tuple[int, int], tuple[Fraction, Fraction]]


class Snapshot(NamedTuple):
    pits: tuple[int, ...]
    stores: tuple[int, int]
    to_move: int
    has_ended: bool = False


Story = tuple[Snapshot, ...]


class LastFour(Exception):
    """Only four seeds are left in play; the game stops wherever it is [A10]."""


class Table:
    """The board under the mover's hands."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.pits = dict(enumerate(snapshot.pits))
        self.stores = dict(enumerate(snapshot.stores))
        self.mover = snapshot.to_move
        self.hand = 0

    def owner(self, pit: int) -> int:
        return 0 if pit < SIZE else 1

    def lift(self, pit: int) -> None:
        self.hand, self.pits[pit] = self.pits[pit], 0

    def drop(self, pit: int) -> bool:
        """Drop one seed; whether it was the last of its lap and won four for the mover."""
        self.pits[pit] += 1
        self.hand -= 1
        if self.pits[pit] != 4:
            return False
        if self.hand == 0:
            self.capture(pit, self.mover)                                      # A7
            return True
        self.capture(pit, self.owner(pit))                                     # A6
        return False

    def capture(self, pit: int, side: int) -> None:
        self.pits[pit] = 0
        self.stores[side] += 4
        if sum(self.pits.values()) + self.hand == 4:                           # A10
            self.stores[side] += 4
            self.hand = 0
            self.pits = dict.fromkeys(self.pits, 0)
            raise LastFour


class Oracle:
    """Plays by the book and remembers everything."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.quiet_limit = options.get("quiet_limit", 500)

    def initial(self) -> Story:                                                # A1
        return self.start([4] * RING, (0, 0), 0)

    def start(self, pits: list[int], stores: tuple[int, int], to_move: int) -> Story:
        """A game that begins from this board; `pits` are South's row, then North's."""
        return (Snapshot(tuple(pits), stores, to_move),)

    def view(self, state: Story) -> tuple[tuple[int, ...], tuple[int, int], int, int]:
        now = state[-1]
        return now.pits, now.stores, now.to_move, 0

    def legal(self, state: Story) -> list[int]:                                # A3
        if self.outcome(state):
            return []
        now = state[-1]
        return [number for number in range(SIZE) if now.pits[now.to_move * SIZE + number]]

    def play(self, state: Story, move: int) -> Story:
        now = state[-1]
        table = Table(now)
        try:
            moves_again = sow(table, now.to_move * SIZE + move)
        except LastFour:
            return (*state, self.snapshot(table, 1 - now.to_move, has_ended=True))
        wanted = now.to_move if moves_again else 1 - now.to_move               # A8
        has_seeds = any(count for pit, count in table.pits.items() if table.owner(pit) == wanted)
        return (*state, self.snapshot(table, wanted if has_seeds else 1 - wanted))    # A4

    def snapshot(self, table: Table, to_move: int, *, has_ended: bool = False) -> Snapshot:
        pits = tuple(table.pits[pit] for pit in range(RING))
        return Snapshot(pits, (table.stores[0], table.stores[1]), to_move, has_ended)

    def outcome(self, state: Story) -> Verdict | None:
        now = state[-1]
        if now.has_ended:
            return verdict("last_four", now)
        if any((then.pits, then.to_move) == (now.pits, now.to_move) for then in state[:-1]):    # A11
            return verdict("repetition", now)
        since_capture = [then for then in state[:-1] if then.stores == now.stores]
        return verdict("quiet_limit", now) if len(since_capture) >= self.quiet_limit else None


def sow(table: Table, start: int) -> bool:
    """Sow lap after lap until the move is over; whether the mover has earned another move."""
    pit = start
    seen: list[tuple[int, dict[int, int], int]] = []
    while True:
        situation = pit, dict(table.pits), sum(table.stores.values())          # a capture makes every board a new one
        if situation in seen:                                                  # A9
            return False
        seen.append(situation)
        table.lift(pit)
        while table.hand:                                                      # A2
            pit = (pit + 1) % RING
            if table.drop(pit):
                return True
        if table.pits[pit] < 2:                                                # A5
            return False


def verdict(ending: str, now: Snapshot) -> Verdict:
    south, north = now.stores[0] + sum(now.pits[:SIZE]), now.stores[1] + sum(now.pits[SIZE:])
    total = south, north
    if south == north:                                                         # A12
        return None, ending, total, (Fraction(1, 2), Fraction(1, 2))
    winner = 0 if south > north else 1
    return winner, ending, total, (Fraction(1 - winner), Fraction(winner))
