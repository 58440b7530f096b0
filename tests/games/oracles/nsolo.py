"""A slow second Nsolo, written from the rules text alone; numbers: docs/rules/nsolo.md.

Each side's stones lie in a mapping from `(row, column)` to a count; columns are counted from South's left, so that
facing pits share one.  A state is the list of everything that has been, newest last, within turns too.
"""

from fractions import Fraction
from typing import Any, NamedTuple

Place = tuple[str, int]
Side = dict[Place, int]
Verdict = tuple[int | None, str, tuple[int, int], tuple[Fraction, Fraction]]

HALF = Fraction(1, 2)


class Moment(NamedTuple):
    stones: tuple[tuple[int, ...], tuple[int, ...]]         # South's and North's, along their circuits
    taken: tuple[int, int]
    to_move: int
    owed: int = 0                                           # stones still to be stripped in this turn
    plies: int = 0
    ending: str = ""


Story = tuple[Moment, ...]


class Oracle:
    def __init__(self, options: dict[str, Any]) -> None:
        self.n: int = options["columns"]
        self.max_plies: int = options["max_plies"]
        self.max_laps: int = options["max_laps"]

    def circuit(self, side: int) -> list[Place]:
        """A side's places in sowing order: the inner row from its right, then the outer row back [B]."""
        away = list(range(self.n)) if side else list(reversed(range(self.n)))
        return [("inner", column) for column in away] + [("outer", column) for column in reversed(away)]

    def laid_out(self, moment: Moment, side: int) -> Side:
        return dict(zip(self.circuit(side), moment.stones[side], strict=True))

    def initial(self) -> Story:
        row = (0,) + (2,) * (2 * self.n - 1)                                        # N1
        return self.start([*row, *row], (0, 0), 0)

    def start(self, pits: list[int], stores: tuple[int, int], to_move: int) -> Story:
        """A game that begins from this board; `pits` are South's circuit, then North's."""
        return (Moment((tuple(pits[:2 * self.n]), tuple(pits[2 * self.n:])), stores, to_move),)

    def legal(self, story: Story) -> list[int]:
        now = story[-1]
        if self.outcome(story):
            return []
        if now.owed:
            against = now.stones[1 - now.to_move]
            return [2 * self.n + pit for pit, stones in enumerate(against) if stones]
        own = now.stones[now.to_move]
        heaps = [pit for pit, stones in enumerate(own) if stones > 1]
        if heaps:
            return heaps                                                            # N3a
        steps = [pit for pit, stones in enumerate(own) if stones and own[(pit + 1) % len(own)] == 0]
        return steps or [4 * self.n]                                                # N3b, N3c

    def play(self, story: Story, move: int) -> Story:
        assert move in self.legal(story)
        now = story[-1]
        if now.owed:
            after = self.strip(now, move - 2 * self.n)
        elif move == 4 * self.n:
            after = now
        else:
            after = self.sow(now, move)
        if after.owed == 0:
            after = after._replace(to_move=1 - now.to_move, plies=now.plies + 1)
        return (*story, after)

    def strip(self, now: Moment, pit: int) -> Moment:
        """Take one stone off the opponent's pits, of those owed after a capture [N4]."""
        side, other = now.to_move, 1 - now.to_move
        against = list(now.stones[other])
        against[pit] -= 1
        return self.with_stones(now, now.stones[side], tuple(against), 1)._replace(owed=now.owed - 1)

    def sow(self, now: Moment, pit: int) -> Moment:
        side, other = now.to_move, 1 - now.to_move
        own, against = self.laid_out(now, side), self.laid_out(now, other)
        last = self.relay(own, self.circuit(side), pit)
        if last is None:
            return now._replace(ending="never_ending")                              # N6, the boards as before
        row, column = last
        k = against["inner", column] if row == "inner" else 0
        if k:
            against["inner", column] = 0
        after = self.with_stones(now, tuple(own.values()), tuple(against.values()), k)
        return after._replace(owed=min(k, sum(against.values())))

    def relay(self, own: Side, circuit: list[Place], pit: int) -> Place | None:
        """Sow until a last stone falls into an empty pit [N2]; that pit, or None when there is no end."""
        met: set[tuple[tuple[int, ...], int, int]] = set()
        for _ in range(self.max_laps):
            hand, own[circuit[pit]] = own[circuit[pit]], 0
            lap = (tuple(own.values()), pit, hand)
            if lap in met:
                return None
            met.add(lap)
            for _ in range(hand):
                pit = (pit + 1) % len(circuit)
                own[circuit[pit]] += 1
            if own[circuit[pit]] == 1:
                return circuit[pit]
        return None

    def with_stones(self, now: Moment, own: tuple[int, ...], against: tuple[int, ...], captured: int) -> Moment:
        south, north = now.taken
        if now.to_move == 0:
            return now._replace(stones=(own, against), taken=(south + captured, north))
        return now._replace(stones=(against, own), taken=(south, north + captured))

    def view(self, story: Story) -> tuple[tuple[int, ...], tuple[int, int], int, int]:
        now = story[-1]
        return now.stones[0] + now.stones[1], now.taken, now.to_move, 0

    def outcome(self, story: Story) -> Verdict | None:
        now = story[-1]
        if now.owed:
            return None
        left = (sum(now.stones[0]), sum(now.stones[1]))
        if 0 in left and not now.ending:                                            # N6
            return left.index(max(left)), "no_stones", left, (Fraction(left[0] > 0), Fraction(left[1] > 0))
        ending = now.ending or self.limit_reached(story)
        return (None, ending, left, (HALF, HALF)) if ending else None

    def limit_reached(self, story: Story) -> str:
        now = story[-1]
        for past in story[:-1]:
            if not past.owed and (past.stones, past.to_move) == (now.stones, now.to_move):
                return "repetition"
        return "ply_cap" if now.plies >= self.max_plies else ""
