"""Tournaments: create one, run it, look at it. What its matches gave: standings.py and matches.py."""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import Connection

from arena import __version__ as engine_version
from arena.errors import Conflict, Invalid, NotFound
from arena.match.openings import parse_seed
from arena.services.beginning import Beginning, add, begin, check_load, check_quota, check_terms
from arena.services.bell import ring
from arena.services.board_copies import push_boards
from arena.services.entries import enter, pin, still_entered
from arena.services.leaving import leave
from arena.services.lookup import find_tournament, lock_tournament
from arena.services.matches import game, list_matches, match, record
from arena.services.names import check_name
from arena.services.ratings import advance_rating_cursor
from arena.services.rights import check_may_run, check_may_withdraw
from arena.services.standings import crosstable, standings
from arena.store import leases, schedule
from arena.store import tournaments as rows
from arena.store.accounts import User
from arena.store.paging import DEFAULT_LIMIT, Page, check_limit, decode_cursor, page_of
from arena.store.session import Store, utc_now
from arena.store.tournaments import (
    CANCELLED,
    CREATED,
    ENDED,
    FINISHED,
    PAUSED,
    RUNNING,
    Entrant,
    Tournament,
)
from arena.tournament.round_robin import match_count

__all__ = [
    "cancel", "create", "crosstable", "entrants", "game", "list_matches", "list_tournaments", "match", "pause",
    "record", "rerun_void", "show", "standings", "start", "withdraw",
]

LONGEST_SEED = 64
Clock = Callable[[], datetime]


def create(  # noqa: PLR0913  # the fields of the form
    store: Store,
    user: User,
    *,
    name: str,
    ruleset: str,
    bots: Sequence[str] | str,
    match_format: str | None = None,
    time_control: str | None = None,
    cycles: int = 1,
    opening_plies: int = 4,
    seed: str | None = None,
    draw_seed: Callable[[int], str] = secrets.token_hex,
) -> Tournament:
    """A tournament that waits for `start`; `bots` are names, or "all": every open active bot of the game.

    Rated unless its seed was given or it has more than two cycles. `draw_seed` is for tests alone.
    """
    check_name(name)
    terms = check_terms(ruleset, match_format, time_control, cycles, opening_plies)
    with store.write() as tx:
        entered = enter(tx, user, terms.game, bots, store.settings.max_tournament_entrants)
        drawn = draw_seed(32) if seed is None else _given_seed(seed)
        tournament_id = add(tx, Beginning(name, user.id, terms, drawn, seed is None), entered, utc_now())
        check_load(tx, user.name, store.settings)
        return find_tournament(tx, tournament_id)


def start(store: Store, user: User, tournament_id: int, *, now: Clock = utc_now) -> Tournament:
    """Freeze it and let it play, or go on after a pause. Twice is once."""
    with store.write() as tx:
        tournament = _managed(tx, user, tournament_id)
        if tournament.state in ENDED:
            raise Conflict(f"{tournament.name} is {tournament.state} and cannot go on; create a new tournament.")
        if tournament.state == RUNNING:
            return tournament
        check_quota(tx, tournament.owner, store.settings.max_running_tournaments)
        if tournament.state == CREATED:
            begin(tx, tournament, pin(tx, still_entered(tx, tournament)), now())
        elif tournament.engine_version != engine_version:
            raise Conflict(
                f"{tournament.name} began under version {tournament.engine_version} of the arena, and this is "
                f"{engine_version}: its results would not compare; cancel it and create a new one."
            )
        rows.change(tx, tournament_id, {"state": RUNNING})
        started = find_tournament(tx, tournament_id)
    ring(store)
    return started


def pause(store: Store, user: User, tournament_id: int) -> Tournament:
    """Let no further match begin; those being played go on and count. Twice is once."""
    with store.write() as tx:
        tournament = _managed(tx, user, tournament_id)
        if tournament.state not in (RUNNING, PAUSED):
            raise Conflict(f"{tournament.name} is {tournament.state}; only a running tournament can be paused.")
        rows.change(tx, tournament_id, {"state": PAUSED})
        return find_tournament(tx, tournament_id)


def cancel(store: Store, user: User, tournament_id: int, *, now: Clock = utc_now) -> Tournament:
    """End it now: what is not finished is void, what is finished counts and is rated. Twice is once."""
    with store.write() as tx:
        tournament = _managed(tx, user, tournament_id)
        if tournament.state == CANCELLED:
            return tournament
        if tournament.state == FINISHED:
            raise Conflict(f"{tournament.name} is finished; there is nothing left to cancel.")
        leases.void_unplayed(tx, tournament_id, "The tournament was cancelled.", now())
        rows.change(tx, tournament_id, {"state": CANCELLED, "ended_at": now()})
        changed = advance_rating_cursor(tx, tournament_id, now())
        cancelled = find_tournament(tx, tournament_id)
    _push(store, changed)
    return cancelled


def withdraw(store: Store, user: User, tournament_id: int, bot: str, *, now: Clock = utc_now) -> Tournament:
    """Take a bot out: it plays no further match, its ratings stay. Before the start its owner may do that, too.

    Twice is once. After the end it only decides whether the bot's matches count in the table.
    """
    with store.write() as tx:
        tournament = lock_tournament(tx, tournament_id)
        entrant = _entrant(tx, tournament, bot)
        check_may_withdraw(user, tournament, entrant.owner)
        if entrant.withdrawn_at is not None:
            return tournament
        changed = None
        if tournament.state in (RUNNING, PAUSED):
            changed = leave(tx, tournament_id, entrant, now())
        else:
            rows.withdraw(tx, tournament_id, entrant.number, now())
        if tournament.state == CREATED:
            _count_again(tx, tournament)
        left = find_tournament(tx, tournament_id)
    _push(store, changed)
    return left


def rerun_void(store: Store, user: User, tournament_id: int) -> Tournament:
    """Play the void matches once more, but for those of bots that were withdrawn; nothing happens if there are none."""
    with store.write() as tx:
        tournament = _managed(tx, user, tournament_id)
        if tournament.state == CANCELLED:
            raise Conflict(f"{tournament.name} was cancelled, so its void matches stay void; create a new tournament.")
        gone = [entrant.version_id for entrant in rows.entrants_of(tx, tournament_id) if entrant.withdrawn_at]
        first = schedule.first_void(tx, tournament_id, gone)
        if first is None:
            return tournament
        if tournament.state == FINISHED:
            check_quota(tx, tournament.owner, store.settings.max_running_tournaments)
            rows.change(tx, tournament_id, {"state": RUNNING, "ended_at": None})
        schedule.make_void_due(tx, tournament_id, gone)
        check_load(tx, tournament.owner, store.settings)
        rows.rewind_cursor(tx, tournament_id, first)        # what is in the ledger already is not rated again
        restarted = find_tournament(tx, tournament_id)
    ring(store)
    return restarted


def show(store: Store, tournament_id: int) -> Tournament:
    """One tournament and how far it is."""
    with store.read() as tx:
        return find_tournament(tx, tournament_id)


def entrants(store: Store, tournament_id: int) -> tuple[Entrant, ...]:
    """Who plays, in the order of the schedule; before the start the versions are those of now."""
    with store.read() as tx:
        find_tournament(tx, tournament_id)
        return rows.entrants_of(tx, tournament_id)


def list_tournaments(  # noqa: PLR0913  # each narrows the list
    store: Store,
    state: str | None = None,
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
    *,
    owner: str | None = None,
    name: str | None = None,
) -> Page[Tournament]:
    """All tournaments, newest first, or those in one state, or of one owner, or the one of a name."""
    if state is not None and state not in rows.STATES:
        raise Invalid(f"{state[:40]!r} is no state; the states are {', '.join(rows.STATES)}.", field="state")
    key = decode_cursor(cursor, "tournaments", int)
    with store.read() as tx:
        below = None if key is None else int(key[0])
        found = rows.list_newest(tx, state, below, check_limit(limit) + 1, owner=owner, name=name)
    return page_of(found, limit, "tournaments", lambda tournament: (tournament.id,))


def not_a_seed(given: object) -> str:
    """The sentence for a seed that is refused."""
    return (
        f"{ascii(given)[:40]} is no seed: one is any text of 1 to {LONGEST_SEED} characters that can be printed, and "
        "the same one draws the same openings and the same luck of the bots; leave it out to have one drawn"
    )


def _given_seed(seed: str) -> str:
    if not 1 <= len(seed) <= LONGEST_SEED or not seed.isprintable():
        raise Invalid(not_a_seed(seed), field="seed")
    return parse_seed(seed)


def _count_again(tx: Connection, tournament: Tournament) -> None:
    """The schedule of a tournament that has not begun, without the bots that left it."""
    left = [entrant for entrant in rows.entrants_of(tx, tournament.id) if entrant.withdrawn_at is None]
    if len(left) < 2:
        raise Conflict(f"{tournament.name} would have fewer than two bots; cancel it instead.")
    rows.change(tx, tournament.id, {"match_count": match_count(len(left), tournament.cycles)})


def _managed(tx: Connection, user: User, tournament_id: int) -> Tournament:
    """The tournament, locked, if the user may run it."""
    tournament = lock_tournament(tx, tournament_id)
    check_may_run(user, tournament)
    return tournament


def _entrant(tx: Connection, tournament: Tournament, bot: str) -> Entrant:
    for entrant in rows.entrants_of(tx, tournament.id):
        if entrant.bot == bot:
            return entrant
    raise NotFound(f"{bot[:60]!r} does not play in {tournament.name}; look at its standings.", field="bot")


def _push(store: Store, ruleset: str | None) -> None:
    push_boards(store, () if ruleset is None else (ruleset,))
