"""What every entrant of a tournament made so far, as rows: added to with each result, read for tables.

A row's columns of numbers are kept in the byte order of the machine: little-endian wherever a sandbox runs.
"""

from array import array
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, delete, func, select

from arena.store import upserts
from arena.store.schema import entrants, matches, tallies, tournaments
from arena.tournament.tally import PAIR_COLUMNS, Pairs, Tally, Totals

PORTION = 100                   # rows of scores read at once

_TOTALS = tuple(tallies.c[name] for name in Totals.__slots__)
_PAIRS = tuple(tallies.c[f"pairs_{name}"] for name in PAIR_COLUMNS)
_TOURNAMENT: BindParameter[int] = bindparam("tournament")
_SCHEDULE = select(
    select(func.count()).select_from(entrants).where(entrants.c.tournament_id == _TOURNAMENT).scalar_subquery(),
    tournaments.c.cycles,
).where(tournaments.c.id == _TOURNAMENT)
_PLACES = select(matches.c.id, matches.c.schedule_index).where(matches.c.id.in_(bindparam("matches", expanding=True)))
_SOME = select(tallies.c.number, *_TOTALS, *_PAIRS).where(
    tallies.c.tournament_id == _TOURNAMENT, tallies.c.number.in_(bindparam("numbers", expanding=True))
)


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is to be known of a tournament's schedule to tell who plays at a place of it."""

    entrants: int
    cycles: int


def schedule_of(tx: Connection, tournament_id: int) -> Schedule:
    """How large a tournament is."""
    return Schedule(*tx.execute(_SCHEDULE, {"tournament": tournament_id}).one())


def places_of(tx: Connection, match_ids: Collection[int]) -> dict[int, int]:
    """The place in the schedule of each of these matches of tournaments."""
    return {row.id: row.schedule_index for row in tx.execute(_PLACES, {"matches": list(match_ids)})}


def read(tx: Connection, tournament_id: int, numbers: Collection[int], size: int) -> dict[int, Tally]:
    """The tallies of these of `size` entrants, also of those that have none yet; to change them, hold the lock."""
    rows = tx.execute(_SOME, {"tournament": tournament_id, "numbers": list(numbers)})
    found = {row[0]: Tally(Totals(*row[1 : 1 + len(_TOTALS)]), _pairs(row[1 + len(_TOTALS) :])) for row in rows}
    return {number: found.get(number) or Tally.of_none(size) for number in numbers}


def write(tx: Connection, tournament_id: int, changed: Mapping[int, Tally]) -> None:
    """Keep these tallies; hold the tournament's lock."""
    own = ({"tournament_id": tournament_id, "number": number, **_values(tally)} for number, tally in changed.items())
    upserts.put(tx, tallies, list(own))


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
