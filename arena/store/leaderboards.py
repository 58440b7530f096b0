"""The Elo leaderboards in Redis, and the only room that speaks to Redis. A copy: SQL can always fill it anew.

Per ruleset: `…:ranks`, a sorted set (score −rating, member `{99999999−matches:08d}:{bot}`, so that equal ratings rank
by more matches, then by name); `…:bot:<name>`, a hash per bot; `…:about`, which exists exactly while the board is
complete and says up to which `rulesets.sequence` it goes. Every change is one script, so no reader sees half of it.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from arena.errors import BoardsUnavailable
from arena.ratings.elo import is_provisional
from arena.store import leaderboard_scripts as scripts

CONNECT_SECONDS = 0.5
ANSWER_SECONDS = 1.0
PREFIX = "arena:board"
AT_ONCE = 1000                  # entries in one call, so that none takes long

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


class Leaderboards:
    """Every call answers within about two seconds or raises `BoardsUnavailable`."""

    def __init__(self, redis_url: str) -> None:
        self._client = redis.Redis.from_url(redis_url, decode_responses=True, **client_options())
        self._apply = self._client.register_script(scripts.APPLY)
        self._begin = self._client.register_script(scripts.BEGIN)
        self._sweep = self._client.register_script(scripts.SWEEP)
        self._fill = self._client.register_script(scripts.FILL)
        self._finish = self._client.register_script(scripts.FINISH)
        self._remove = self._client.register_script(scripts.REMOVE)
        self._page = self._client.register_script(scripts.PAGE)
        self._around = self._client.register_script(scripts.AROUND)

    def apply(self, ruleset: str, entries: Sequence[BoardEntry], sequence: int | None = None) -> bool:
        """Take in changes; those already known, or older than what is known, change nothing.

        With these the board is known up to `sequence`, by default that of the newest entry.
        False when Redis holds no complete board of this ruleset: then nothing was done, and `fill` is due.
        """
        reached = max((entry.sequence for entry in entries), default=0) if sequence is None else sequence
        ahead = (len(entries) - 1) // AT_ONCE * AT_ONCE if entries else 0       # of the last call, which says how far
        for first in range(0, ahead, AT_ONCE):
            if not self._run(self._apply, ruleset, ["0", "", *_written(entries[first : first + AT_ONCE])]):
                return False
        news = [str(reached), _newest(entries), *_written(entries[ahead:])]
        return bool(self._run(self._apply, ruleset, news))

    def fill(self, ruleset: str, read: Callable[[], BoardSlice]) -> bool:
        """Make what `read` returns the whole board, step by step; until it is complete there is none for readers.

        Changes that Redis knows and that are later than what was read stay.  False when somebody else is filling it.
        """
        token = secrets.token_hex(8)
        if not self._run(self._begin, ruleset, [token]):
            return False
        board = read()
        snapshot, start = [token, str(board.sequence)], 0
        while (seen := self._run(self._sweep, ruleset, [*snapshot, str(start), str(AT_ONCE)])) > 0:
            start += seen
        for first in range(0, len(board.entries), AT_ONCE):
            if not self._run(self._fill, ruleset, [*snapshot, *_written(board.entries[first : first + AT_ONCE])]):
                return False
        return bool(self._run(self._finish, ruleset, [*snapshot, _newest(board.entries)]))

    def remove(self, ruleset: str, bot: str, sequence: int) -> None:
        """Take a bot off a board for good; changes older than `sequence` do not bring it back.

        What else the board lacks up to `sequence` is not known here: `apply` says how far the board goes.
        """
        self._run(self._remove, ruleset, [bot, str(sequence)])

    def forget(self, ruleset: str) -> None:
        """Drop a board, whatever its sequence; for when SQL itself was rebuilt or restored."""
        with _redis_errors():
            self._client.unlink(f"{PREFIX}:{ruleset}:about", f"{PREFIX}:{ruleset}:filling")
            bots = self._client.scan_iter(f"{PREFIX}:{_literal(ruleset)}:bot:*", count=AT_ONCE)
            while some := list(islice(bots, AT_ONCE)):
                self._client.unlink(*some)
            self._client.unlink(f"{PREFIX}:{ruleset}:ranks", f"{PREFIX}:{ruleset}:fresh")

    def page(self, ruleset: str, limit: int, after: Key | None) -> BoardSlice | None:
        """Entries behind `after`, which need not be on the board any more; None when the board is not complete."""
        position = ["", ""] if after is None else [repr(-after[0]), _member(after[1], after[2])]
        return _slice(self._run(self._page, ruleset, [str(limit), *position]))

    def around(self, ruleset: str, bot: str, limit: int) -> BoardSlice | None:
        """`limit` entries with the bot in the middle; none if it is not on the board; None as for `page`."""
        return _slice(self._run(self._around, ruleset, [str(limit), bot]))

    def size(self, ruleset: str) -> int:
        """How many bots the board has."""
        with _redis_errors():
            return int(self._client.zcard(f"{PREFIX}:{ruleset}:ranks"))

    def sequence(self, ruleset: str) -> int | None:
        """Up to which change of the ruleset Redis knows; None when the board is not complete."""
        with _redis_errors():
            known = self._client.hget(f"{PREFIX}:{ruleset}:about", "sequence")
        return None if known is None else int(known)

    def ping(self) -> None:
        """Raises `BoardsUnavailable` unless Redis answers."""
        with _redis_errors():
            self._client.ping()

    def was_emptied(self) -> bool:
        """Whether Redis has lost everything since somebody last asked here, the queue included if it is kept there."""
        with _redis_errors():
            return bool(self._client.set(f"{PREFIX}:kept", 1, nx=True))

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        self._client.close()

    def _run(self, script: Any, ruleset: str, arguments: list[str]) -> Any:
        with _redis_errors():
            return script(keys=[f"{PREFIX}:{ruleset}"], args=arguments)


def client_options() -> dict[str, Any]:
    """How long any client of ours waits for Redis; without them it would try for a minute."""
    return {
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_timeout": ANSWER_SECONDS,
        "retry": Retry(NoBackoff(), 0),
    }


def server_process_id(redis_url: str) -> int:
    """Which process answers there, so that nobody takes a stranger's server for their own."""
    with _redis_errors():
        boards = Leaderboards(redis_url)
        try:
            return int(boards._client.info("server")["process_id"])
        finally:
            boards.close()


@contextmanager
def _redis_errors() -> Iterator[None]:
    try:
        yield
    except (redis.RedisError, OSError) as error:
        raise BoardsUnavailable("Redis does not answer; leaderboards come from the database meanwhile.") from error


def _member(matches: int, bot: str) -> str:
    return f"{99_999_999 - matches:08d}:{bot}"


def _newest(entries: Sequence[BoardEntry]) -> str:
    return _moment(max(entry.rated_at for entry in entries)) if entries else ""


def _moment(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def _literal(text: str) -> str:
    """A glob pattern that matches just this text."""
    return "".join(f"\\{sign}" if sign in "*?[]^\\" else sign for sign in text)


def _written(entries: Sequence[BoardEntry]) -> list[str]:
    """Eight texts per entry; numbers as Python writes them, so that no digit is lost on the way."""
    texts: list[str] = []
    for entry in entries:
        counts = f"{entry.matches} {entry.wins} {entry.draws} {entry.losses}"
        texts += [_member(entry.matches, entry.bot), repr(-entry.rating), str(entry.sequence), _moment(entry.rated_at)]
        texts += [entry.owner, str(entry.version), repr(entry.rating), counts]
    return texts


def _slice(answer: list[Any] | None) -> BoardSlice | None:
    if answer is None:
        return None
    size, sequence, as_of, first_rank, *rows = answer
    entries = tuple(_entry(row, rank) for rank, row in enumerate(rows, int(first_rank)))
    return BoardSlice(entries, int(size), int(sequence), datetime.fromisoformat(as_of) if as_of else None)


def _entry(row: list[str], rank: int) -> BoardEntry:
    member, sequence, rated_at, owner, version, rating, counts = row
    matches, wins, draws, losses = map(int, counts.split())
    return BoardEntry(
        rank=rank,
        bot=member.partition(":")[2],
        owner=owner,
        version=int(version),
        rating=float(rating),
        matches=matches,
        wins=wins,
        draws=draws,
        losses=losses,
        provisional=is_provisional(matches),
        sequence=int(sequence),
        rated_at=datetime.fromisoformat(rated_at),
    )
