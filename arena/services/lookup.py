"""A tournament by its number, for every use case that is about one; each step is part of the caller's transaction."""

from sqlalchemy import Connection

from arena.errors import NotFound
from arena.store import tournaments as rows
from arena.store.tournaments import Entrant, Tournament


def find_tournament(tx: Connection, tournament_id: int) -> Tournament:
    """The tournament; raises `NotFound`."""
    return _existing(rows.find(tx, tournament_id), tournament_id)


def lock_tournament(tx: Connection, tournament_id: int) -> Tournament:
    """The same, and nobody else changes its state until the transaction ends."""
    return _existing(rows.lock(tx, tournament_id), tournament_id)


def with_entrants(tx: Connection, tournament_id: int) -> tuple[Tournament, tuple[Entrant, ...]]:
    """The tournament and who plays, in the order of the schedule."""
    return find_tournament(tx, tournament_id), rows.entrants_of(tx, tournament_id)


def _existing(tournament: Tournament | None, tournament_id: int) -> Tournament:
    if tournament is None:
        raise NotFound(f"There is no tournament {tournament_id}; look for it in the list of tournaments.")
    return tournament
