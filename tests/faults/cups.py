"""The small tournament that every fault disturbs: its bots, and all that must come out of it whatever happens.

Moves depend on the number of an entrant and on the position alone, and so does everything that follows from them.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import select, update

from arena.match.player import MatchInfo
from arena.match.record import MatchPlayed, MatchSetup
from arena.match.referee import play_match
from arena.services import dispatch, matches, results, standings
from arena.store import matches as match_rows
from arena.store.schema import rating_changes, ratings, versions
from arena.store.session import Store
from arena.tournament.round_robin import match_count
from tests.support import field
from tests.support.field import DicePlayer
from tests.support.sql_boards import sql_board

ENTRANTS = 4
TIME_CONTROL = "5000+60000"             # naps are charged; nobody may lose by them
OPENING_PLIES = 4
NAP_SECONDS = 1.8                       # long enough for a renewal to show where the match is

PROGRAM = """\
import random
import time

NAPS = {naps}


class Bot:
    def __init__(self):
        self.game = self.turn = 0
        self.nap()

    def new_game(self, side):
        self.game += 1
        self.turn = 0

    def nap(self):
        if (self.game, self.turn) in NAPS:
            time.sleep({nap_seconds})

    def choose_move(self, position):
        self.turn += 1
        self.nap()
        time.sleep({pause_ms} / 1000)
        dice = random.Random("{number}/%s/%s" % (position.pits, position.to_move))
        return dice.choice(position.legal_moves())
"""

Nap = tuple[int, int]
"""Game and turn of the bot's own in which it sleeps, both from 1; (0, 0): while it is loaded."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Where the first entrant naps, and how long everybody takes for a move."""

    naps: tuple[Nap, ...] = ()
    pause_ms: int = 2


@dataclass(frozen=True, slots=True)
class Cup:
    """One tournament, by its id; the name with which those of its bots begin, and how many they are."""

    id: int
    name: str
    entrants: int

    @property
    def matches(self) -> int:
        return match_count(self.entrants, 1)


@dataclass(frozen=True, slots=True)
class Story:
    """All that must be the same as in an undisturbed run; entrants by number, matches by their place."""

    games: list[Any]
    ledger: list[Any]
    ratings: list[Any]
    table: list[Any]
    board: list[Any]


def begin(store: Store, name: str, pace: Pace, entrants: int = ENTRANTS) -> Cup:
    """A running tournament of new bots."""
    entered = [_add_bot(store, f"{name}-{number}", number, pace) for number in range(entrants)]
    terms = {"time_control": TIME_CONTROL, "opening_plies": OPENING_PLIES}
    return Cup(field.add_tournament(store, entered, f"{name}-cup", **terms), name, entrants)


def story(store: Store, cup: Cup) -> Story:
    """What stands in the database about it."""
    with store.read() as tx:
        played = match_rows_of(store, cup)
        place = {row.id: row.schedule_index for row in played}
        number = {row.id: int(row.name.rpartition("-")[2]) for row in tx.execute(_entered(cup))}
        changes = tx.execute(select(rating_changes).order_by(rating_changes.c.id)).all()
        stands = tx.execute(select(ratings).order_by(ratings.c.version_id)).all()
    on_board = [entry for entry in sql_board(store, "oware").entries if entry.bot.startswith(f"{cup.name}-")]
    return Story(
        [(row.schedule_index, row.state, row.seed, _games(store, row.id)) for row in played],
        [
            (place[row.match_id], row.kind, number[row.version_id], row.before, row.after, row.expected, row.k)
            for row in changes if row.match_id in place
        ],
        [
            (number[row.version_id], row.rating, row.matches, row.wins, row.draws, row.losses)
            for row in stands if row.version_id in number
        ],
        [
            (line.rank, line.number, line.wins, line.draws, line.losses, line.score, line.points, line.tie_breaks)
            for line in standings.standings(store, cup.id)
        ],
        [(entry.bot.rpartition("-")[2], entry.rating, entry.matches, entry.wins) for entry in on_board],
    )


@cache
def undisturbed(entrants: int = ENTRANTS) -> Story:
    """The story of a run without processes, match by match in schedule order."""
    with field.scratch_store() as store:
        cup = begin(store, "quiet", Pace(), entrants)
        moment = field.Moment()
        while field.tournament(store, cup.id).state != "finished":
            post = field.Post()
            dispatch.tick(store, post, moment)
            for batch in post.batches:
                for assignment in dispatch.claim_each(store, "w1", batch, moment):
                    results.ingest(store, assignment, _played(assignment.setup), 100, moment)
        return story(store, cup)


def match_rows_of(store: Store, cup: Cup) -> list[Any]:
    """The matches that have rows, in schedule order."""
    table = field.matches
    with store.read() as tx:
        return list(
            tx.execute(select(table).where(table.c.tournament_id == cup.id).order_by(table.c.schedule_index))
        )


def _add_bot(store: Store, name: str, number: int, pace: Pace) -> int:
    version_id = field.add_bot(store, name)
    naps = pace.naps if number == 0 else ()
    package = PROGRAM.format(naps=naps, nap_seconds=NAP_SECONDS, pause_ms=pace.pause_ms, number=number).encode()
    content = {"package": package, "content_hash": hashlib.sha256(package).hexdigest()}
    with store.write() as tx:
        tx.execute(update(versions).where(versions.c.id == version_id).values(**content))
    return version_id


def _entered(cup: Cup) -> Any:
    of_bot = select(field.versions.c.id, field.bots.c.name).join(field.bots, field.bots.c.id == field.versions.c.bot_id)
    return of_bot.where(field.bots.c.name.startswith(f"{cup.name}-"))


def _games(store: Store, match_id: int) -> Any:
    with store.read() as tx:
        is_played = match_rows.record_of(tx, match_id) is not None
    if not is_played:
        return None
    games = matches.record(store, match_id).games
    return [(game.south, game.opening, game.moves, game.ending, game.winner) for game in games]


def _played(setup: MatchSetup) -> MatchPlayed:
    def open_player(seat: int, info: MatchInfo, seed: bytes) -> DicePlayer:
        return DicePlayer(setup.bots[seat].name.rpartition("-")[2])

    return play_match(setup, open_player, lambda game, ply: None)
