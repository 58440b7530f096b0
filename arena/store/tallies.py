"""What every entrant of a tournament made so far, as rows: added to with each result, read for tables.

A row's columns of numbers are kept in the byte order of the machine: little-endian wherever a sandbox runs.
"""

from array import array
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from arena.store.schema import entrants, matches, tallies, tournaments
from arena.tournament.tally import PAIR_COLUMNS, Pairs, Tally, Totals

PORTION = 100                   # rows of scores read at once

_TOTALS = tuple(tallies.c[name] for name in Totals.__slots__)
_PAIRS = tuple(tallies.c[f"pairs_{name}"] for name in PAIR_COLUMNS)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match stands in the schedule, and what is to be known of the schedule to tell who plays it."""

    tournament_id: int
    entrants: int
    cycles: int
    schedule_index: int


def place_of(tx: Connection, match_id: int) -> Place:
    """The place of a tournament's match."""
    entered = select(func.count()).select_from(entrants).where(entrants.c.tournament_id == tournaments.c.id)
    query = select(
        tournaments.c.id,
        entered.correlate(tournaments).scalar_subquery(),
        tournaments.c.cycles,
        matches.c.schedule_index,
    ).join_from(matches, tournaments)
    return Place(*tx.execute(query.where(matches.c.id == match_id)).one())


def read(tx: Connection, place: Place, numbers: Collection[int]) -> dict[int, Tally]:
    """The tallies of these entrants, also of those that have none yet; hold the tournament's lock to change them."""
    query = select(tallies.c.number, *_TOTALS, *_PAIRS).where(
        tallies.c.tournament_id == place.tournament_id, tallies.c.number.in_(numbers)
    )
    found = {
        row[0]: Tally(Totals(*row[1 : 1 + len(_TOTALS)]), _pairs(row[1 + len(_TOTALS) :])) for row in tx.execute(query)
    }
    return {number: found.get(number) or Tally.of_none(place.entrants) for number in numbers}


def write(tx: Connection, tournament_id: int, changed: Mapping[int, Tally]) -> None:
    """Keep these tallies; hold the tournament's lock."""
    dialect = sqlite if tx.dialect.name == "sqlite" else postgresql
    for number, tally in changed.items():
        values = _values(tally)
        row = dialect.insert(tallies).values(tournament_id=tournament_id, number=number, **values)
        tx.execute(row.on_conflict_do_update(index_elements=["tournament_id", "number"], set_=values))


def replace_all(tx: Connection, tournament_id: int, right: Mapping[int, Tally]) -> None:
    """Keep these tallies and no others; hold the tournament's lock."""
    tx.execute(delete(tallies).where(tallies.c.tournament_id == tournament_id))
    write(tx, tournament_id, right)


class StoredTallies:
    """The tallies of one tournament, as `arena.tournament.tally.standings` asks for them."""

    def __init__(self, tx: Connection, tournament_id: int, entrants: int) -> None:
        self._tx = tx
        self._own = tallies.c.tournament_id == tournament_id
        self._entrants = entrants

    def totals(self) -> list[Totals]:
        """Of every entrant, by number."""
        found = [Totals() for _ in range(self._entrants)]
        for number, *totals in self._tx.execute(select(tallies.c.number, *_TOTALS).where(self._own)):
            found[number] = Totals(*totals)
        return found

    def scores(self) -> Iterator[tuple[int, "array[int]"]]:
        """Number and scores of every entrant that has played; never all of them in memory."""
        query = select(tallies.c.number, tallies.c.pairs_scores).where(self._own)
        for number, packed in self._tx.execute(query.execution_options(yield_per=PORTION)):
            yield number, array(PAIR_COLUMNS["scores"], packed)

    def pairs(self, numbers: Collection[int]) -> dict[int, Pairs]:
        """Of these entrants, as far as they have played."""
        query = select(tallies.c.number, *_PAIRS).where(self._own, tallies.c.number.in_(numbers))
        return {number: _pairs(packed) for number, *packed in self._tx.execute(query)}

    def all(self) -> dict[int, Tally]:
        """Everything, for a comparison."""
        totals = self.totals()
        pairs = self.pairs(range(self._entrants))
        return {number: Tally(totals[number], own) for number, own in pairs.items()}


def _pairs(packed: Any) -> Pairs:
    return Pairs(*(array(kind, column) for kind, column in zip(PAIR_COLUMNS.values(), packed, strict=True)))


def _values(tally: Tally) -> dict[str, Any]:
    totals = {name: getattr(tally.totals, name) for name in Totals.__slots__}
    return totals | {f"pairs_{name}": getattr(tally.pairs, name).tobytes() for name in PAIR_COLUMNS}
