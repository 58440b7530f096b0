"""How a tournament comes to be and begins, whoever asked for it: somebody now, or a schedule long ago.

Each step is part of the caller's transaction.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from arena import __version__ as engine_version
from arena import games
from arena.errors import Invalid, QuotaExceeded
from arena.match.format import default_format, parse_format
from arena.match.openings import check_opening_plies
from arena.match.time_control import DEFAULT_TIME_CONTROL, parse_time_control
from arena.ratings.eligibility import RATED_CYCLES, SYSTEM_OWNER
from arena.services.entries import Pinned
from arena.services.names import blaming
from arena.settings import Settings
from arena.store import accounts
from arena.store import tournaments as rows
from arena.store.accounts import User
from arena.store.tournaments import RUNNING, NewTournament, Tournament
from arena.tournament.round_robin import match_count

MAX_CYCLES = 100


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played, each as its canonical text; `game` is the plain name."""

    game: str
    ruleset: str
    match_format: str
    time_control: str
    cycles: int
    opening_plies: int


@dataclass(frozen=True, slots=True)
class Beginning:
    """A tournament to be; only one whose seed was drawn can be rated."""

    name: str
    owner_id: int
    terms: Terms
    seed: str
    is_drawn: bool


def check_terms(
    ruleset: str, match_format: str | None, time_control: str | None, cycles: int, opening_plies: int
) -> Terms:
    """The terms, the game's own where none are given; raises what names the field at fault."""
    with blaming("ruleset"):
        rules = games.load(ruleset)
    with blaming("format"):
        form = parse_format(match_format or default_format(rules.name), game=rules.name)
    with blaming("time_control"):
        control = parse_time_control(time_control or DEFAULT_TIME_CONTROL)
    check_opening_plies(opening_plies)
    if not 1 <= cycles <= MAX_CYCLES:
        raise Invalid(f"{cycles} cycles; play 1 to {MAX_CYCLES}, rated up to {RATED_CYCLES}.", field="cycles")
    return Terms(rules.name, rules.ruleset, form.name, str(control), cycles, opening_plies)


def add(tx: Connection, new: Beginning, entered: Pinned, now: datetime) -> int:
    """A tournament that waits for its start; raises `NameTaken`."""
    terms = new.terms
    row = NewTournament(
        name=new.name,
        owner_id=new.owner_id,
        ruleset=terms.ruleset,
        match_format=terms.match_format,
        time_control=terms.time_control,
        cycles=terms.cycles,
        opening_plies=terms.opening_plies,
        seed=new.seed,
        is_rated=new.is_drawn and terms.cycles <= RATED_CYCLES,
        engine_version=engine_version,
        match_count=match_count(len(entered), terms.cycles),
    )
    tournament_id = rows.add(tx, row, now)
    rows.set_entrants(tx, tournament_id, entered)
    return tournament_id


def begin(tx: Connection, tournament: Tournament, entered: Pinned, now: datetime) -> None:
    """Fix who plays, and with which version, and let it run; hold its lock."""
    rows.set_entrants(tx, tournament.id, entered)
    count = match_count(len(entered), tournament.cycles)
    frozen = {"match_count": count, "started_at": now, "engine_version": engine_version, "state": RUNNING}
    rows.change(tx, tournament.id, frozen)


def check_quota(tx: Connection, owner: str, most: int) -> None:
    """Raises `QuotaExceeded` when this user has as many tournaments running as one may."""
    if _bound(tx, owner) is not None and rows.count_running(tx, owner) >= most:
        raise QuotaExceeded(f"{owner} has {most} tournaments running; wait for one to end, pause or cancel one.")


def check_load(tx: Connection, owner: str, settings: Settings) -> None:
    """Raises `QuotaExceeded` when what was just added leaves this user with more to be played than one may have."""
    user = _bound(tx, owner)
    if user is None:
        return
    if rows.count_created(tx, user.id) > settings.max_created_tournaments:
        most = settings.max_created_tournaments
        raise QuotaExceeded(f"{owner} has {most} tournaments that wait for their start; start or cancel one.")
    if (unplayed := rows.count_unplayed(tx, user.id)) > settings.max_matches_per_user:
        raise QuotaExceeded(
            f"{owner} would have {unplayed} matches to be played, and {settings.max_matches_per_user} are the most; "
            "enter fewer bots, play fewer cycles, or wait for what is running."
        )


def _bound(tx: Connection, owner: str) -> User | None:
    """The user, locked, if quotas bind this one."""
    user = accounts.find_user(tx, owner)
    assert user is not None
    accounts.lock_user(tx, user.id)
    return None if user.is_admin or owner == SYSTEM_OWNER else user
