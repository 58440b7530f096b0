"""What the lines of an archive say: one class per kind of line, whose fields are the line's keys.

Times are texts, ISO 8601 in UTC, and nothing is proven about them.  Scores and points are in half-points.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

FORMAT = "arena-archive"
VERSION = 1
RUNNING, PAUSED, FINISHED, CANCELLED = "running", "paused", "finished", "cancelled"
ENDED = (FINISHED, CANCELLED)


@dataclass(frozen=True, slots=True)
class Header:
    """The first line.  `tournament` is None when the file holds all tournaments of the ruleset.

    `options` are all options of the ruleset, those at their defaults too; `matches` is how many lines of them follow.
    """

    kind: ClassVar[str] = "header"
    format: str
    version: int
    engine_version: str
    ruleset: str
    options: dict[str, Any]
    tournament: str | None
    matches: int


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a bot, before the first line that names it; `content_hash` is the SHA-256 of its package."""

    kind: ClassVar[str] = "version"
    bot: str
    version: int
    owner: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who plays at one place of the schedule."""

    bot: str
    version: int
    withdrawn_at: str | None


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament's terms.  `seed_hash` is the SHA-256 of the seed's text, published at the start.

    Every match of the schedule below `reached` that is final has a line; none has one above it.
    """

    kind: ClassVar[str] = "tournament"
    id: int
    name: str
    owner: str
    match_format: str
    time_control: str
    cycles: int
    opening_plies: int
    is_rated: bool
    engine_version: str
    state: str
    seed: str | None
    seed_hash: str
    match_count: int
    reached: int
    created_at: str
    started_at: str | None
    ended_at: str | None
    entrants: tuple[Entrant, ...]

    @property
    def is_ended(self) -> bool:
        return self.state in ENDED


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended; `winner` is a seat."""

    winner: int | None
    score: tuple[int, ...]
    points: tuple[int, ...]
    games: int


@dataclass(frozen=True, slots=True)
class Match:
    """A match that is finished, with result and record, or void, with a reason; `index` is its place in the schedule.

    `attempt` is the number of the one that counted, 0 when it is void; `record` has the form of `record.to_json`.
    """

    kind: ClassVar[str] = "match"
    tournament: int
    index: int
    id: int
    attempt: int
    ended_at: str | None
    void_reason: str | None
    result: Result | None
    record: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One line of the table; `tie_breaks` by name, exact texts such as `7/4`."""

    rank: int
    number: int
    bot: str
    version: int
    matches: int
    wins: int
    draws: int
    losses: int
    score: int
    points: int
    tie_breaks: dict[str, Any]
    is_withdrawn: bool


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a tournament, best first, out of the matches above it."""

    kind: ClassVar[str] = "standings"
    tournament: int
    lines: tuple[StandingLine, ...]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where a version stood before the next `rating` line, after matches that are not in this file."""

    kind: ClassVar[str] = "elsewhere"
    bot: str
    version: int
    rating: float
    matches: int


@dataclass(frozen=True, slots=True)
class Change:
    """A row of the ledger; the last six are None in an `inherit` row, which takes over a predecessor's rating."""

    kind: str
    bot: str
    version: int
    before: float
    after: float
    expected: float | None
    k: int | None
    score: int | None
    opponent: str | None
    opponent_version: int | None
    opponent_before: float | None


@dataclass(frozen=True, slots=True)
class Rating:
    """What one match changed in the ledger; these lines come in the order of the ledger."""

    kind: ClassVar[str] = "rating"
    tournament: int
    index: int
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Rated:
    """Where a version stands at the end; only in the archive of a ruleset, by name and number."""

    kind: ClassVar[str] = "rated"
    bot: str
    version: int
    rating: float
    matches: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class End:
    """The last line: how much there is above it; `lines` counts this one, too."""

    kind: ClassVar[str] = "end"
    lines: int
    matches: int
    games: int
    ratings: int


Entry = Header | Version | Tournament | Match | Standings | Elsewhere | Rating | Rated | End
KINDS: dict[str, type[Entry]] = {
    kind.kind: kind for kind in (Header, Version, Tournament, Match, Standings, Elsewhere, Rating, Rated, End)
}
