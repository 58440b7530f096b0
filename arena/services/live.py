"""A tournament as it is being played: how far it is now, and what has happened since somebody last looked."""

from dataclasses import dataclass

from arena.services.lookup import find_tournament
from arena.store import events, matches
from arena.store.events import Event
from arena.store.matches import Match
from arena.store.session import Store
from arena.store.tournaments import Tournament

MOST_RUNNING = 20               # shown at once
MOST_EVENTS = 200               # read at once


@dataclass(frozen=True, slots=True)
class Moment:
    """`running` are matches being played now, `last` is the number of the newest event; all at one instant."""

    tournament: Tournament
    running: tuple[Match, ...]
    last: int


def moment(store: Store, tournament_id: int) -> Moment:
    """How far a tournament is."""
    with store.read() as tx:
        tournament = find_tournament(tx, tournament_id)
        running = matches.running_in(tx, tournament_id, MOST_RUNNING)
        return Moment(tournament, tuple(running), events.last_number(tx, tournament_id))


def events_after(store: Store, tournament_id: int, number: int) -> tuple[Event, ...]:
    """What happened behind this number, in order; a portion of it, if it is much."""
    with store.read() as tx:
        return events.after(tx, tournament_id, number, MOST_EVENTS)
