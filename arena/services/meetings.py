"""Who meets whom in a tournament: its schedule place by place, what one pair played, one entrant's line explained."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import Connection

from arena.errors import NotFound
from arena.services.lookup import with_entrants
from arena.services.standings import StandingLine, lines_of
from arena.store import events, matches
from arena.store.matches import Match
from arena.store.places import matches_at
from arena.store.session import Store
from arena.store.tallies import StoredTallies
from arena.store.tournaments import Entrant, Tournament
from arena.tournament import tally
from arena.tournament.round_robin import pairing_at, places_of

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Place:
    """One match of the schedule; `match` is None while it has no row."""

    index: int
    round: int
    first: Entrant
    second: Entrant
    match: Match | None


@dataclass(frozen=True, slots=True)
class Schedule:
    """Some places in a row, of `size`."""

    tournament: Tournament
    places: tuple[Place, ...]
    size: int


@dataclass(frozen=True, slots=True)
class Explained:
    """What one opponent added to each criterion of the table, in their order, as exact points."""

    opponent: str
    rank: int
    values: tuple[Fraction, ...]
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """An entrant's line of a table of `size`, with some of its terms in the order of the table; `met` counts all."""

    tournament: Tournament
    line: StandingLine
    size: int
    terms: tuple[Explained, ...]
    met: int


def schedule(store: Store, tournament_id: int, start: int, limit: int) -> Schedule:
    """So many places of the schedule, played or not, from `start` on."""
    with store.read() as tx:
        tournament, entrants = with_entrants(tx, tournament_id)
        indexes = range(start, min(start + limit, tournament.match_count))
        found = matches_at(tx, tournament_id, indexes)
    places = tuple(_place(tournament, entrants, index, found.get(index)) for index in indexes)
    return Schedule(tournament, places, tournament.match_count)


def between(store: Store, tournament_id: int, numbers: Sequence[int]) -> dict[Pair, tuple[Match, ...]]:
    """What these entrants have played among themselves, by (entrant, opponent), both ways round."""
    with store.read() as tx:
        tournament, entrants = with_entrants(tx, tournament_id)
        pairs = [(one, other) for one in numbers for other in numbers if one < other]
        return _meetings(tx, tournament, len(entrants), pairs)


def entrant(store: Store, tournament_id: int, bot: str, start: int = 0, limit: int = 50) -> EntrantLine:
    """One line of the table, explained term by term for so many opponents."""
    with store.read() as tx:
        tournament, entrants = with_entrants(tx, tournament_id)
        lines = lines_of(tx, tournament, entrants)
        line = next((line for line in lines if line.bot == bot), None)
        if line is None:
            raise NotFound(f"{bot[:60]!r} does not play in {tournament.name}; look at its standings.", field="bot")
        values = _terms(tx, tournament, entrants, line.number)
        met = [other for other in lines if other.number in values]
        shown = met[start : start + limit]
        pairs = [(line.number, other.number) for other in shown]
        played = _meetings(tx, tournament, len(entrants), pairs)
    terms = tuple(
        Explained(other.bot, other.rank, tuple(values[other.number]), played[line.number, other.number])
        for other in shown
    )
    return EntrantLine(tournament, line, len(entrants), terms, len(met))


def latest(store: Store, tournament_id: int, limit: int) -> tuple[Match, ...]:
    """The matches that ended last, the newest first."""
    with store.read() as tx:
        ids = events.latest_results(tx, tournament_id, limit)
        found = {match.id: match for match in matches.with_ids(tx, ids)}
    return tuple(found[match_id] for match_id in ids)


def _terms(
    tx: Connection, tournament: Tournament, entrants: Sequence[Entrant], number: int
) -> dict[int, list[Fraction]]:
    """By opponent, what it adds to each criterion, in their order."""
    withdrawn = [entrant.number for entrant in entrants if entrant.withdrawn_at is not None]
    kept = StoredTallies(tx, tournament.id, len(entrants))
    values: dict[int, list[Fraction]] = {}
    for terms in tally.explain(kept, number, withdrawn, cycles=tournament.cycles).values():
        for term in terms:
            values.setdefault(term.opponent, []).append(term.value)
    return values


def _meetings(
    tx: Connection, tournament: Tournament, entrants: int, pairs: Collection[Pair]
) -> dict[Pair, tuple[Match, ...]]:
    places = {pair: places_of(entrants, tournament.cycles, *pair) for pair in pairs}
    indexes = [index for found in places.values() for index in found]
    found = matches_at(tx, tournament.id, indexes)
    met: dict[Pair, tuple[Match, ...]] = {}
    for (one, other), at in places.items():
        met[one, other] = met[other, one] = tuple(found[index] for index in at if index in found)
    return met


def _place(tournament: Tournament, entrants: Sequence[Entrant], index: int, match: Match | None) -> Place:
    pairing = pairing_at(len(entrants), tournament.cycles, index)
    return Place(index, pairing.round, entrants[pairing.first], entrants[pairing.second], match)
