"""The Elo leaderboards in Redis. A copy: SQL can always fill it anew.

Per ruleset: `…:ranks`, a sorted set (score −rating, member `{99999999−matches:08d}:{bot}`, so that equal ratings rank
by more matches, then by name); `…:bots`, a hash with a line of text per bot; `…:known`, which exists exactly while the
board is complete and says up to which `rulesets.sequence` it goes, and of when that is. Every change is one script, so
no reader sees half of it.
"""

import secrets
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count, pairwise
from operator import attrgetter, itemgetter
from typing import Any

from arena.ratings.elo import is_provisional
from arena.store import leaderboard_scripts as scripts
from arena.store.redis_calls import RedisCalls, Script

PREFIX = "arena:board"
AT_ONCE = 1000                  # entries in one call, so that none takes long
MOST_MATCHES = 99_999_999

_change = attrgetter("sequence")
_number = itemgetter(1)
Key = tuple[float, int, str]
"""Where an entry stands: rating, matches, bot. Boards are ordered by −rating, −matches, bot."""


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """One bot on a board, with its newest rated version. `rank` counts from 1, and is 0 where nobody has asked."""

    rank: int
    bot: str
    owner: str
    version: int
    rating: float
    matches: int
    wins: int
    draws: int
    losses: int
    provisional: bool
    sequence: int
    rated_at: datetime

    @property
    def key(self) -> Key:
        return self.rating, self.matches, self.bot


@dataclass(frozen=True, slots=True)
class BoardSlice:
    """Neighbouring entries of one board; `size` counts all of it, `as_of` is its last change."""

    entries: tuple[BoardEntry, ...]
    size: int
    sequence: int
    as_of: datetime | None


@dataclass(frozen=True, slots=True)
class BoardChanges:
    """What changed on a board after change `base` and up to `reached`: every bot once, as it stands at `reached`.

    `gone` are those no longer on the board, with the number of the change that took them off.
    """

    base: int
    reached: int
    entries: tuple[BoardEntry, ...]
    gone: tuple[tuple[str, int], ...] = ()


class Leaderboards:
    """Every call answers within about two seconds or raises `BoardsUnavailable`."""

    def __init__(self, redis_url: str) -> None:
        self._redis = RedisCalls(redis_url)

    def apply(self, ruleset: str, changes: BoardChanges) -> bool:
        """Take in what is news: all of it, or what is left of it once another has told a part.

        False when the board is not complete, or does not go as far as `changes.base`: what it lacks is to be read anew.
        """
        return all(self._run(scripts.APPLY, ruleset, _told(part)) for part in _parts(changes))

    def fill(self, ruleset: str, read: Callable[[], Iterable[BoardChanges]]) -> bool:
        """Make what `read` gives the whole board, part after part; until it is complete there is none for readers.

        All parts are of one moment: `reached` is the same in each. False when somebody else is filling the board.
        """
        token = secrets.token_hex(8)
        if not self._run(scripts.BEGIN, ruleset, [token]):
            return False
        reached, newest = 0, None
        for part in read():         # only now, when nobody changes the board any more, so that nothing newer gets lost
            reached = part.reached
            newest = max(filter(None, (newest, _newest(part.entries))), default=None)
            for first in range(0, len(part.entries), AT_ONCE):
                if not self._run(scripts.FILL, ruleset, [token, *_written(part.entries[first : first + AT_ONCE])]):
                    return False
        return bool(self._run(scripts.FINISH, ruleset, [token, str(reached), _moment(newest)]))

    def forget(self, ruleset: str) -> None:
        """Drop a board, whatever its sequence; for when SQL itself was rebuilt or restored."""
        self._redis.call("UNLINK", *(f"{PREFIX}:{ruleset}:{key}" for key in ("known", "filling", "ranks", "bots")))

    def page(self, ruleset: str, limit: int, after: Key | None) -> BoardSlice | None:
        """Entries behind `after`, which need not be on the board any more; None when the board is not complete."""
        position = ["", ""] if after is None else [repr(-after[0]), _member(after[1], after[2])]
        return _slice(self._run(scripts.PAGE, ruleset, [str(limit), *position]))

    def around(self, ruleset: str, bot: str, limit: int) -> BoardSlice | None:
        """`limit` entries with the bot in the middle; none if it is not on the board; None as for `page`."""
        return _slice(self._run(scripts.AROUND, ruleset, [str(limit), bot]))

    def size(self, ruleset: str) -> int:
        """How many bots the board has."""
        return int(self._redis.call("ZCARD", f"{PREFIX}:{ruleset}:ranks"))

    def sequence(self, ruleset: str) -> int | None:
        """Up to which change of the ruleset Redis knows; None when the board is not complete."""
        known: str | None = self._redis.call("GET", f"{PREFIX}:{ruleset}:known")
        return None if known is None else int(known.split(" ")[0])

    def ping(self) -> None:
        """Raises `BoardsUnavailable` unless Redis answers."""
        self._redis.call("PING")

    def was_emptied(self) -> bool:
        """Whether Redis has lost everything since somebody last asked here, the queue included if it is kept there."""
        return self._redis.call("SET", f"{PREFIX}:kept", 1, "NX") is not None

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        self._redis.close()

    def _run(self, script: Script, ruleset: str, arguments: list[str]) -> Any:
        return self._redis.run(script, f"{PREFIX}:{ruleset}", arguments)


def _member(matches: int, bot: str) -> str:
    return f"{MOST_MATCHES - matches:08d}:{bot}"


def _newest(entries: Sequence[BoardEntry]) -> datetime | None:
    return max((entry.rated_at for entry in entries), default=None)


def _moment(moment: datetime | None) -> str:
    return "" if moment is None else moment.isoformat()


def _parts(changes: BoardChanges) -> Iterator[BoardChanges]:
    """Cut so that no call takes long, but never within a change: the board goes up to the end of each part."""
    if len(changes.entries) + len(changes.gone) <= AT_ONCE:
        yield changes
        return
    entries, gone = sorted(changes.entries, key=_change), sorted(changes.gone, key=_number)
    numbers = sorted([*map(_change, entries), *(number for _, number in gone)])
    for base, end in pairwise([changes.base, *numbers[AT_ONCE - 1 :: AT_ONCE], changes.reached]):
        some = entries[bisect_right(entries, base, key=_change) : bisect_right(entries, end, key=_change)]
        left = gone[bisect_right(gone, base, key=_number) : bisect_right(gone, end, key=_number)]
        yield BoardChanges(base, end, tuple(some), tuple(left))


def _told(changes: BoardChanges) -> list[str]:
    names = [bot for bot, _ in changes.gone]
    news = [str(changes.base), str(changes.reached), _moment(_newest(changes.entries)), str(len(names))]
    return [*news, *names, *(entry.bot for entry in changes.entries), *_written(changes.entries)]


def _written(entries: Sequence[BoardEntry]) -> list[str]:
    """Name and line of each, then score and member; numbers as Python writes them, so that no digit is lost."""
    lines: list[str] = []
    ranks: list[str] = []
    for entry in entries:
        bot, rating, member = entry.bot, entry.rating, _member(entry.matches, entry.bot)
        news = f"{member[:8]} {entry.sequence} {entry.rated_at.isoformat()} {entry.version} {rating!r}"
        lines += (bot, f"{news} {entry.wins} {entry.draws} {entry.losses} {entry.owner}")
        ranks += (repr(-rating), member)
    return lines + ranks


def _slice(answer: list[Any] | None) -> BoardSlice | None:
    if answer is None:
        return None
    about, size, first_rank, names, lines = answer
    sequence, as_of = about.split(" ")
    entries = tuple(map(_entry, count(first_rank), names, lines))
    return BoardSlice(entries, size, int(sequence), datetime.fromisoformat(as_of) if as_of else None)


def _entry(rank: int, bot: str, line: str) -> BoardEntry:
    order, sequence, rated_at, version, rating, wins, draws, losses, owner = line.split(" ", 8)
    matches = MOST_MATCHES - int(order)
    return BoardEntry(
        rank=rank,
        bot=bot,
        owner=owner,
        version=int(version),
        rating=float(rating),
        matches=matches,
        wins=int(wins),
        draws=int(draws),
        losses=int(losses),
        provisional=is_provisional(matches),
        sequence=int(sequence),
        rated_at=datetime.fromisoformat(rated_at),
    )
