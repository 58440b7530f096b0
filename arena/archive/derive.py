"""What follows from the core's values, as entries: the same for whoever writes an archive and whoever checks it."""

from collections.abc import Mapping, Sequence

from arena.archive.entries import Change, Entrant, Rated, Rating, Result, StandingLine, Standings
from arena.match.points import half_points
from arena.match.record_types import MatchRecord
from arena.ratings import ledger
from arena.ratings.ledger import LedgerRow, RatedVersion
from arena.tournament.standings import Standing


def result_of(record: MatchRecord) -> Result:
    """The result that a record ends in."""
    first, second = record.points
    return Result(record.winner, record.score, (half_points(first), half_points(second)), len(record.games))


def standings_of(tournament: int, entrants: Sequence[Entrant], table: Sequence[Standing]) -> Standings:
    """A table with the names of its entrants."""
    return Standings(tournament, tuple(_line(entrants[standing.number], standing) for standing in table))


def rating_of(tournament: int, index: int, rows: Sequence[LedgerRow], names: Mapping[int, str]) -> Rating:
    """The ledger rows of one match; `names` are those of the bots."""
    return Rating(tournament, index, tuple(_change(row, names) for row in rows))


def rated_of(version: RatedVersion, rating: ledger.Rating, names: Mapping[int, str]) -> Rated:
    """Where a version stands."""
    return Rated(
        names[version.bot],
        version.number,
        rating.rating,
        rating.matches,
        rating.wins,
        rating.draws,
        rating.losses,
    )


def _line(entrant: Entrant, standing: Standing) -> StandingLine:
    return StandingLine(
        rank=standing.rank,
        number=standing.number,
        bot=entrant.bot,
        version=entrant.version,
        matches=standing.matches,
        wins=standing.wins,
        draws=standing.draws,
        losses=standing.losses,
        score=standing.score,
        points=standing.points,
        tie_breaks={tie_break.name: str(tie_break.value) for tie_break in standing.tie_breaks},
        is_withdrawn=standing.is_withdrawn,
    )


def _change(row: LedgerRow, names: Mapping[int, str]) -> Change:
    return Change(
        kind=row.kind,
        bot=names[row.version.bot],
        version=row.version.number,
        before=row.before,
        after=row.after,
        expected=row.expected,
        k=row.k,
        score=row.score,
        opponent=None if row.opponent is None else names[row.opponent.bot],
        opponent_version=None if row.opponent is None else row.opponent.number,
        opponent_before=row.opponent_before,
    )
