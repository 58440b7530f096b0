"""Add the tables of tournaments up again from their results, and compare: what is stored must be the same."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from arena.services.standings import recounted
from arena.store import tallies
from arena.store import tournaments as rows
from arena.store.session import Store
from arena.store.tallies import StoredTallies
from arena.store.tournaments import Entrant, Tournament
from arena.tournament.tally import Tally, Totals


@dataclass(frozen=True, slots=True)
class Recount:
    """How many tournaments have been looked at, and a sentence about every entrant whose sums are wrong."""

    tournaments: int
    differences: tuple[str, ...]


def recount(store: Store, *, dry_run: bool) -> Recount:
    """Compare every tournament's tallies with its results, and unless it is a dry run put right what differs.

    Results may arrive meanwhile: a tournament is locked while it is put right, compared in one snapshot.
    """
    with store.read() as tx:
        numbers = rows.all_ids(tx)
    differences: list[str] = []
    for number in numbers:
        with store.read() as tx:
            found = list(_differences(tx, *_tournament(tx, number)))
        if found and not dry_run:
            with store.write() as tx:
                rows.lock(tx, number)
                tournament, entrants = _tournament(tx, number)
                tallies.replace_all(tx, number, recounted(tx, tournament, len(entrants)))
        differences += found
    return Recount(len(numbers), tuple(differences))


def _tournament(tx: Connection, number: int) -> tuple[Tournament, tuple[Entrant, ...]]:
    tournament = rows.find(tx, number)
    assert tournament is not None
    return tournament, rows.entrants_of(tx, number)


def _differences(tx: Connection, tournament: Tournament, entrants: tuple[Entrant, ...]) -> Iterator[str]:
    stored = StoredTallies(tx, tournament.id, len(entrants)).all()
    right = recounted(tx, tournament, len(entrants))
    for number in sorted(stored.keys() | right.keys()):
        if stored.get(number) != right.get(number):
            told, right_told = _told(stored.get(number)), _told(right.get(number))
            if told == right_told:
                right_told = "the same in all, and other numbers against single opponents"
            yield f"{tournament.name}: {entrants[number].bot} has {told}; by its results {right_told}"


def _told(tally: Tally | None) -> str:
    totals = Totals() if tally is None else tally.totals
    return f"{totals.matches} matches, {totals.score} half-points and {totals.points} of games"
