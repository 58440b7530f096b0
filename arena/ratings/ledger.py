"""Ratings as a fold over results: one pure step, used for a live result and to rebuild everything from the first.

A step reads where the versions of the two bots stand and answers with ledger rows, in order, and with the new
standings.  Which results are rated, and in which order they come, is decided by whoever calls.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from arena.ratings.elo import START, Change, Rated, is_provisional, rate

MATCH, INHERIT = "match", "inherit"


@dataclass(frozen=True, slots=True, order=True)
class RatedVersion:
    """What is rated: one version of a bot.  `bot` identifies the bot, `number` counts its versions from 1."""

    bot: int
    number: int


@dataclass(frozen=True, slots=True)
class Rating:
    """Where one version stands in one ruleset."""

    rating: float = START
    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def is_provisional(self) -> bool:
        return is_provisional(self.matches)


@dataclass(frozen=True, slots=True)
class RatedResult:
    """A match that counts for the ratings; `score` in half-points, `match` is whatever identifies it."""

    match: int
    first: RatedVersion
    second: RatedVersion
    score: tuple[int, int]


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One change of one rating.  The last five are None in an `inherit` row, which no opponent caused.

    The rows of a version join: each begins where the one before it ended, the first at 1500.
    """

    kind: str
    match: int
    version: RatedVersion
    before: float
    after: float
    expected: float | None = None
    k: int | None = None
    score: int | None = None
    opponent: RatedVersion | None = None
    opponent_before: float | None = None


State = Mapping[RatedVersion, Rating]


@dataclass(frozen=True, slots=True)
class Step:
    """What one result adds to the ledger, and where its two versions stand after it."""

    rows: tuple[LedgerRow, ...]
    ratings: dict[RatedVersion, Rating]


def fold(state: State, result: RatedResult) -> Step:
    """The step of one result; `state` must hold every rated version of the two bots, and may hold others.

    A version's first rated match takes over the rating of the nearest version before it that has one by then;
    its matches count from 0, so it is provisional again.
    """
    if result.first.bot == result.second.bot:
        raise ValueError(f"match {result.match} is between versions of one bot, {result.first.bot}")
    inherited = [row for version in (result.first, result.second) if (row := _inherited(state, result.match, version))]
    taken_over = {row.version: Rating(row.after) for row in inherited}
    first, second = (
        taken_over.get(version) or state.get(version) or Rating() for version in (result.first, result.second)
    )
    changes = rate(Rated(first.rating, first.matches), Rated(second.rating, second.matches), result.score)
    rows = (
        _match_row(result.match, result.first, changes[0], result.second, second),
        _match_row(result.match, result.second, changes[1], result.first, first),
    )
    ratings = {result.first: _after(first, changes[0]), result.second: _after(second, changes[1])}
    return Step((*inherited, *rows), ratings)


def rebuild(results: Iterable[RatedResult]) -> Iterator[Step]:
    """The whole ledger of one ruleset, step by step; keeps only where every version stands."""
    state: dict[RatedVersion, Rating] = {}
    for result in results:
        step = fold(state, result)
        state.update(step.ratings)
        yield step


def _inherited(state: State, match: int, version: RatedVersion) -> LedgerRow | None:
    if version in state:
        return None
    earlier = [other for other in state if other.bot == version.bot and other.number < version.number]
    if not earlier:
        return None
    return LedgerRow(INHERIT, match, version, START, state[max(earlier)].rating)


def _match_row(
    match: int, version: RatedVersion, change: Change, opponent: RatedVersion, opponent_rating: Rating
) -> LedgerRow:
    return LedgerRow(
        MATCH,
        match,
        version,
        change.before,
        change.after,
        change.expected,
        change.k,
        change.score,
        opponent,
        opponent_rating.rating,
    )


def _after(rating: Rating, change: Change) -> Rating:
    return Rating(
        change.after,
        rating.matches + 1,
        rating.wins + (change.score == 2),
        rating.draws + (change.score == 1),
        rating.losses + (change.score == 0),
    )
