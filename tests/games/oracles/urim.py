"""A slow second Urim, written from the rule text alone; numbers: docs/rules/urim.md.

A state is a diary: every position of the game as a line of text-like tuples, the newest last.  The board is a ring of
hole names walked with an iterator, seeds are dropped one at a time.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain as joined
from itertools import cycle, islice
from typing import Any, NamedTuple

FULL = 17

Verdict = tuple[int | None, str, tuple[int, int], tuple[Fraction, Fraction]]


class Entry(NamedTuple):
    rows: tuple[tuple[int, ...], tuple[int, ...]]
    stores: tuple[int, int]
    to_move: int


Diary = tuple[Entry, ...]


class Oracle:
    """Plays by the book and keeps a diary."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.size = options.get("pits", 6)
        self.each = options.get("seeds", 3)
        self.slam_is_legal = options.get("grand_slam", "forfeit") == "legal"
        self.quiet_limit = options.get("quiet_limit", 500)

    def initial(self) -> Diary:                                                # U1
        return self.start([self.each] * (2 * self.size), (0, 0), 0)

    def start(self, pits: list[int], stores: tuple[int, int], to_move: int) -> Diary:
        """A game that begins from this board; `pits` are South's row, then North's."""
        return (Entry((tuple(pits[:self.size]), tuple(pits[self.size:])), stores, to_move),)

    def view(self, state: Diary) -> tuple[tuple[int, ...], tuple[int, int], int, int]:
        entry = state[-1]
        return tuple(joined(*entry.rows)), entry.stores, entry.to_move, 0

    def legal(self, state: Diary) -> list[int]:
        return [] if self.outcome(state) else self.possible_moves(state[-1])

    def possible_moves(self, entry: Entry) -> list[int]:
        """Every filled hole [U2]; if the opponent has nothing, those whose sowing reaches him [U3]."""
        filled = [number for number, count in enumerate(entry.rows[entry.to_move]) if count]
        if any(entry.rows[1 - entry.to_move]):
            return filled
        return [number for number in filled if any(self.sow(entry, number)[0][1])]

    def sow(self, entry: Entry, number: int) -> tuple[tuple[list[int], list[int]], list[tuple[int, int]]]:
        """The rows (mover's, opponent's) after the sowing, and the holes that took a seed, in order.

        Row 0 is the mover's.  The emptied hole [U4] and holes that hold seventeen [U5] take none.
        """
        rows = list(entry.rows[entry.to_move]), list(entry.rows[1 - entry.to_move])
        hand, rows[0][number] = rows[0][number], 0
        taken: list[tuple[int, int]] = []
        ring = self.walk_after(number)
        while hand:
            which, place = next(ring)
            if (which, place) != (0, number) and rows[which][place] < FULL:
                rows[which][place] += 1
                taken.append((which, place))
                hand -= 1
        return rows, taken

    def walk_after(self, number: int) -> Iterator[tuple[int, int]]:
        """The holes in sowing order for ever, from the one after the mover's `number`; row 0 is the mover's."""
        names = [(which, place) for which in (0, 1) for place in range(self.size)]
        return islice(cycle(names), number + 1, None)

    def play(self, state: Diary, move: int) -> Diary:
        entry = state[-1]
        mover = entry.to_move
        (own, other), taken = self.sow(entry, move)
        spoils = captured(other, taken[-1])
        takings = sum(other[place] for place in spoils)
        if takings == sum(other) and not self.slam_is_legal:                   # U8
            spoils, takings = [], 0
        for place in spoils:
            other[place] = 0
        stores = tuple(store + takings if side == mover else store for side, store in enumerate(entry.stores))
        rows = (tuple(own), tuple(other)) if mover == 0 else (tuple(other), tuple(own))
        return (*state, Entry(rows, (stores[0], stores[1]), 1 - mover))

    def outcome(self, state: Diary) -> Verdict | None:                         # U9
        now = state[-1]
        earlier = [(entry.rows, entry.to_move) for entry in state[:-1]]
        if (now.rows, now.to_move) in earlier:
            return self.settle(now, "repetition")
        if not self.possible_moves(now):
            return self.settle(now, "no_moves")
        quiet = 0
        while quiet + 1 < len(state) and state[-2 - quiet].stores == now.stores:
            quiet += 1
        return self.settle(now, "quiet_limit") if quiet >= self.quiet_limit else None

    def settle(self, entry: Entry, ending: str) -> Verdict:
        """Each adds his own row [U10]; one point for three quarters of all seeds, half for more than half [U11]."""
        south, north = (entry.stores[side] + sum(entry.rows[side]) for side in (0, 1))
        everything = south + north
        points = []
        for total in (south, north):
            share = Fraction(total, everything)
            points.append(Fraction(1) if share >= Fraction(3, 4) else Fraction(int(share > Fraction(1, 2)), 2))
        winner = None if south == north else int(north > south)
        return winner, ending, (south, north), (points[0], points[1])


def captured(other: list[int], last: tuple[int, int]) -> list[int]:
    """Places of the opponent's row that the last seed wins: two or three there [U6], then two to four behind [U7]."""
    which, place = last
    if which == 0 or other[place] not in (2, 3):
        return []
    spoils = [place]
    for behind in range(place - 1, -1, -1):
        if other[behind] not in (2, 3, 4):
            break
        spoils.append(behind)
    return spoils
