"""Who leads a tournament, and what every bot made against every other."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from arena.errors import NotFound
from arena.store import matches
from arena.store import tournaments as rows
from arena.store.session import Store
from arena.store.tournaments import Entrant, Tournament
from arena.tournament import standings as tables
from arena.tournament.round_robin import pairing_at
from arena.tournament.standings import Cell, Result, Standing, TieBreak


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
    """`bots` in the order of the standings; `cells[row][column]`, None where two have not met."""

    bots: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]


def standings(store: Store, tournament_id: int) -> tuple[StandingLine, ...]:
    """The table, best first, from the matches that are finished."""
    with store.read() as tx:
        tournament, entrants = _tournament(tx, tournament_id)
        return _lines(tx, tournament, entrants)


def crosstable(store: Store, tournament_id: int) -> Crosstable:
    """Every entrant against every other."""
    with store.read() as tx:
        tournament, entrants = _tournament(tx, tournament_id)
        order = _lines(tx, tournament, entrants)
        results = _results(tx, tournament, len(entrants))
        numbers = range(len(entrants))
        cells = tables.crosstable(numbers, results, _withdrawn(entrants), cycles=tournament.cycles)
    by_place = [line.number for line in order]
    rows_of_cells = (tuple(cells.get((number, opponent)) for opponent in by_place) for number in by_place)
    return Crosstable(tuple(line.bot for line in order), tuple(rows_of_cells))


def _tournament(tx: Connection, tournament_id: int) -> tuple[Tournament, tuple[Entrant, ...]]:
    tournament = rows.find(tx, tournament_id)
    if tournament is None:
        raise NotFound(f"There is no tournament {tournament_id}; look for it in the list of tournaments.")
    return tournament, rows.entrants_of(tx, tournament_id)


def table_of(tx: Connection, tournament: Tournament, entrants: tuple[Entrant, ...]) -> list[Standing]:
    """The table by the numbers of its entrants, within a transaction."""
    return tables.standings(
        range(len(entrants)),
        _results(tx, tournament, len(entrants)),
        _withdrawn(entrants),
        cycles=tournament.cycles,
    )


def _lines(tx: Connection, tournament: Tournament, entrants: tuple[Entrant, ...]) -> tuple[StandingLine, ...]:
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
