"""Who leads a tournament, and what every bot made against every other."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from arena.match.record_types import MatchRecord
from arena.services.lookup import with_entrants
from arena.store import matches, tallies
from arena.store.session import Store
from arena.store.tallies import StoredTallies
from arena.store.tournaments import Entrant, Tournament
from arena.tournament import tally
from arena.tournament.round_robin import Pairing, pairing_at
from arena.tournament.standings import Cell, Result, Standing, TieBreak
from arena.tournament.tally import Pairs, Tally, count


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One line of the table; `score` and `points` in half-points, tie-breaks exact, in the order of their weight."""

    rank: int
    number: int
    bot: str
    owner: str
    version: int
    matches: int
    wins: int
    draws: int
    losses: int
    score: int
    points: int
    tie_breaks: tuple[TieBreak, ...]
    is_withdrawn: bool


@dataclass(frozen=True, slots=True)
class Crosstable:
    """`bots` in the order of the standings; `cells[row][column]`, None where two have not met; `size` counts all."""

    bots: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]
    size: int


def standings(store: Store, tournament_id: int) -> tuple[StandingLine, ...]:
    """The table, best first, from the matches that are finished."""
    with store.read() as tx:
        tournament, entrants = with_entrants(tx, tournament_id)
        return lines_of(tx, tournament, entrants)


def crosstable(store: Store, tournament_id: int, limit: int | None = None) -> Crosstable:
    """Every entrant against every other, or so many of the leaders among themselves."""
    with store.read() as tx:
        tournament, entrants = with_entrants(tx, tournament_id)
        lines = lines_of(tx, tournament, entrants)[:limit]
        pairs = StoredTallies(tx, tournament_id, len(entrants)).pairs([line.number for line in lines])
    struck = {line.number for line in lines if line.is_withdrawn and not line.matches}
    rows_of_cells = tuple(tuple(_cell(pairs, struck, row.number, column.number) for column in lines) for row in lines)
    return Crosstable(tuple(line.bot for line in lines), rows_of_cells, len(entrants))


def count_results(tx: Connection, tournament_id: int, records: Mapping[int, MatchRecord]) -> None:
    """Add results, by match, to what their entrants made, in the transaction that takes them in; hold the lock."""
    schedule, places = tallies.schedule_of(tx, tournament_id), tallies.places_of(tx, records)
    results = [
        _result_of(record, pairing_at(schedule.entrants, schedule.cycles, places[match_id]))
        for match_id, record in records.items()
    ]
    numbers = {number for result in results for number in (result.first, result.second)}
    kept = tallies.read(tx, tournament_id, numbers, schedule.entrants)
    for result in results:
        count(kept[result.first], kept[result.second], result)
    tallies.write(tx, tournament_id, kept)


def _result_of(record: MatchRecord, pairing: Pairing) -> Result:
    points = (int(record.points[0] * 2), int(record.points[1] * 2))
    return Result(pairing.first, pairing.second, record.score, points)


def recounted(tx: Connection, tournament: Tournament, entrants: int) -> dict[int, Tally]:
    """What the stored tallies of a tournament must be, by its results."""
    counted: dict[int, Tally] = {}
    for result in _results(tx, tournament, entrants):
        for number in (result.first, result.second):
            if number not in counted:
                counted[number] = Tally.of_none(entrants)
        count(counted[result.first], counted[result.second], result)
    return counted


def _cell(pairs: Mapping[int, Pairs], struck: Collection[int], number: int, opponent: int) -> Cell | None:
    if number not in pairs or number in struck or opponent in struck:
        return None
    return pairs[number].cell(opponent)


def table_of(tx: Connection, tournament: Tournament, entrants: tuple[Entrant, ...]) -> list[Standing]:
    """The table by the numbers of its entrants, within a transaction."""
    kept = StoredTallies(tx, tournament.id, len(entrants))
    return tally.standings(kept, _withdrawn(entrants), cycles=tournament.cycles)


def lines_of(tx: Connection, tournament: Tournament, entrants: tuple[Entrant, ...]) -> tuple[StandingLine, ...]:
    """The table with the names of its entrants, within a transaction."""
    return tuple(
        StandingLine(
            rank=line.rank,
            number=line.number,
            bot=entrants[line.number].bot,
            owner=entrants[line.number].owner,
            version=entrants[line.number].version,
            matches=line.matches,
            wins=line.wins,
            draws=line.draws,
            losses=line.losses,
            score=line.score,
            points=line.points,
            tie_breaks=line.tie_breaks,
            is_withdrawn=line.is_withdrawn,
        )
        for line in table_of(tx, tournament, entrants)
    )


def _results(tx: Connection, tournament: Tournament, entrants: int) -> Iterator[Result]:
    """Each result with the numbers of the two that met, which follow from its place in the schedule."""
    for finished in matches.finished_pairings(tx, tournament.id):
        pairing = pairing_at(entrants, tournament.cycles, finished.schedule_index)
        yield Result(pairing.first, pairing.second, finished.score, finished.points)


def _withdrawn(entrants: tuple[Entrant, ...]) -> frozenset[int]:
    return frozenset(entrant.number for entrant in entrants if entrant.withdrawn_at is not None)
