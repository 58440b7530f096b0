"""Whoever tells a board what, and in whatever order: every change counts once, and no bot ever goes backwards.

A ledger in memory stands for SQL. Pushers read how far the board goes, later read the ledger, later still tell Redis
one part after another; meanwhile the ledger grows, others push, some die, boards are filled, and copies are put back.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from arena.store import leaderboards
from arena.store.leaderboards import BoardChanges, BoardEntry, Leaderboards

pytestmark = pytest.mark.services
RULESET = "oware"
START = datetime(2026, 11, 29, 12, tzinfo=UTC)
BOTS = [f"bot{number}" for number in range(7)]
STEPS = 150
GONE = None
DONE = object()

State = dict[str, BoardEntry]
Begun = Callable[[Leaderboards, "Ledger"], Iterator[None]]


@dataclass
class Ledger:
    """All changes: who was touched by each, and the line it left, or GONE."""

    dice: random.Random
    changes: list[dict[str, BoardEntry | None]] = field(default_factory=list)

    @property
    def reached(self) -> int:
        return len(self.changes)

    def grow(self) -> None:
        sequence = self.reached + 1
        touched = self.dice.sample(BOTS, self.dice.choice([1, 2, 2, 2, 5]))
        is_removal = self.dice.random() < 0.15
        self.changes.append({bot: GONE if is_removal else self.rated(bot, sequence) for bot in touched})

    def rated(self, bot: str, sequence: int) -> BoardEntry:
        matches = self.dice.randrange(4)        # with few ratings, so that order is decided by them and by names, too
        rating = 1500.0 + self.dice.randrange(3)
        moment = START + timedelta(seconds=sequence)
        return BoardEntry(0, bot, "somebody", 1, rating, matches, matches, 0, 0, True, sequence, moment)

    def newest(self, after: int = 0) -> dict[str, tuple[int, BoardEntry | None]]:
        """Of each bot that was touched later than `after`: when it was last, and how that left it."""
        found: dict[str, tuple[int, BoardEntry | None]] = {}
        for sequence, change in enumerate(self.changes[after:], after + 1):
            found |= {bot: (sequence, line) for bot, line in change.items()}
        return found

    def changed_after(self, base: int) -> BoardChanges:
        newest = self.newest(base)
        entries = tuple(line for _, line in newest.values() if line is not None)
        gone = tuple((bot, sequence) for bot, (sequence, line) in newest.items() if line is None)
        return BoardChanges(base, self.reached, entries, gone)

    def whole(self) -> list[BoardChanges]:
        """Of one moment, in two parts."""
        lines = tuple(line for _, line in self.newest().values() if line is not None)
        return [BoardChanges(0, self.reached, lines[:3]), BoardChanges(0, self.reached, lines[3:])]


def shown(boards: Leaderboards) -> State | None:
    page = boards.page(RULESET, 200, None)
    if page is None:
        return None
    assert page.size == len(page.entries)
    order = [(-line.rating, -line.matches, line.bot) for line in page.entries]
    assert order == sorted(order)
    return {line.bot: line for line in page.entries}


def check(boards: Leaderboards, ledger: Ledger, before: State) -> State:
    """The board has, of every bot not touched since, what the ledger has; of the others, nothing that it never had."""
    state, known = shown(boards), boards.sequence(RULESET)
    if state is None or known is None:
        return {}
    for bot, (sequence, line) in ledger.newest().items():
        told = state.get(bot)
        if sequence <= known:
            assert (told and told.sequence) == (line and line.sequence)
        elif told is not None:
            assert told.sequence <= known
            assert ledger.changes[told.sequence - 1][bot] is not None
        if told is not None and bot in before:
            assert told.sequence >= before[bot].sequence
    return state


def pusher(boards: Leaderboards, ledger: Ledger) -> Iterator[None]:
    """As `arena.services.board_copies` does it, with a pause wherever another may come between."""
    known = boards.sequence(RULESET)
    yield
    if known is None:
        yield from filler(boards, ledger)
        return
    changes = ledger.changed_after(known)
    for part in list(leaderboards._parts(changes)):
        yield
        if not boards.apply(RULESET, part):
            return
        if len(changes.entries) % 2:
            assert boards.apply(RULESET, part)      # and once more, as if the answer had been lost


def filler(boards: Leaderboards, ledger: Ledger) -> Iterator[None]:
    """What comes after it has read is not in it, and is told by nobody while it is at work."""

    def read() -> Iterator[BoardChanges]:
        for part in ledger.whole():
            yield part
            ledger.grow()
            assert not boards.apply(RULESET, ledger.changed_after(part.reached))

    assert boards.fill(RULESET, read)
    yield


@pytest.mark.parametrize("at_once", [1000, 2])
@pytest.mark.parametrize("seed", range(8))
def test_a_board_never_goes_backwards_and_ends_as_the_ledger(
    boards: Leaderboards, monkeypatch: pytest.MonkeyPatch, seed: int, at_once: int
) -> None:
    monkeypatch.setattr(leaderboards, "AT_ONCE", at_once)
    dice = random.Random(seed)
    ledger = Ledger(dice)
    begin: Sequence[Begun] = [pusher] * 6 + [filler]
    under_way: list[Iterator[None]] = []
    boards.fill(RULESET, ledger.whole)
    state: State = {}
    for _ in range(STEPS):
        if dice.random() < 0.5:
            ledger.grow()
        if dice.random() < 0.4:
            under_way.append(dice.choice(begin)(boards, ledger))
        if under_way and dice.random() < 0.1:
            under_way.pop(dice.randrange(len(under_way)))           # dies
        if under_way:
            place = dice.randrange(len(under_way))
            if next(under_way[place], DONE) is DONE:
                del under_way[place]
        state = check(boards, ledger, state)
    assert boards.apply(RULESET, ledger.changed_after(boards.sequence(RULESET) or 0))
    assert shown(boards) == {line.bot: line for line in ranked(ledger)}


def ranked(ledger: Ledger) -> list[BoardEntry]:
    lines = [line for part in ledger.whole() for line in part.entries]
    lines.sort(key=lambda line: (-line.rating, -line.matches, line.bot))
    return [replace(line, rank=rank) for rank, line in enumerate(lines, 1)]


def test_pushes_of_before_a_copy_was_put_back_are_refused(boards: Leaderboards) -> None:
    ledger = Ledger(random.Random(3))
    for _ in range(20):
        ledger.grow()
    boards.fill(RULESET, ledger.whole)
    ledger.grow()
    late = ledger.changed_after(20)
    del ledger.changes[5:]                      # the copy
    boards.forget(RULESET)
    assert not boards.apply(RULESET, late)
    boards.fill(RULESET, ledger.whole)
    assert not boards.apply(RULESET, late)
    assert shown(boards) == {line.bot: line for line in ranked(ledger)}
    ledger.grow()
    assert boards.apply(RULESET, ledger.changed_after(5))
    assert shown(boards) == {line.bot: line for line in ranked(ledger)}
