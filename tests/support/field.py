"""A field of bots for tests of dispatch, results and ratings: rows put in directly, matches without processes."""

import hashlib
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import insert, select

from arena.games import Game, Outcome
from arena.match.player import MatchInfo
from arena.match.record import ENGINE_VERSION, MatchPlayed, MatchSetup
from arena.match.referee import play_match
from arena.match.turn import ClockView, Reply, Timing
from arena.services import dispatch, results
from arena.services.assignments import Assignment
from arena.settings import Settings
from arena.store.migrate import migrate
from arena.store.schema import bots, entrants, matches, rating_changes, ratings, tournaments, users, versions
from arena.store.session import Store
from arena.tournament.round_robin import match_count

START = datetime(2026, 11, 29, 12, tzinfo=UTC)
SEED = "5eed" * 16


class Moment:
    """A clock that a test sets; give it to services as `now`."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> datetime:
        return self.at

    def pass_seconds(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


class Post:
    """Takes messages as the queue would, and keeps them until a test delivers them."""

    def __init__(self) -> None:
        self.batches: list[dispatch.Batch] = []

    def __call__(self, batch: dispatch.Batch) -> None:
        self.batches.append(batch)

    def take_all(self) -> list[dispatch.Batch]:
        taken, self.batches = self.batches, []
        return taken


class DicePlayer:
    """Plays as the program of `dice_package` does, without a process, and asks for no time."""

    def __init__(self, name: str) -> None:
        self._name = name

    def new_game(self, side: int) -> None:
        """Nothing to prepare."""

    def choose(self, game: Game, clock: ClockView, limit_us: int) -> Reply:
        dice = random.Random(f"{self._name}/{game.position.pits}/{game.position.to_move}")
        return Reply((dice.choice(game.legal_moves()),), Timing(0, 0, 0, 0))

    def game_over(self, outcome: Outcome | None) -> None:
        """Nothing to learn."""

    def close(self) -> None:
        """Nothing to end."""

    def log(self) -> str:
        return f"{self._name} was here\n"


def play(setup: MatchSetup) -> MatchPlayed:
    """The match, always the same for the same setup."""

    def open_player(seat: int, info: MatchInfo, seed: bytes) -> DicePlayer:
        return DicePlayer(f"{setup.bots[seat].name}/{setup.bots[seat].version}")

    return play_match(setup, open_player, lambda game, ply: None)


def dice_package(name: str, pause_ms: int = 0) -> bytes:
    """The program of a bot whose moves depend on its name and the position alone: every run plays the same games."""
    return f"""\
import random
import time


def choose_move(position):
    time.sleep({pause_ms} / 1000)
    dice = random.Random("{name}/%s/%s" % (position.pits, position.to_move))
    return dice.choice(position.legal_moves())
""".encode()


def add_bot(store: Store, name: str, owner: str | None = None, state: str = "active", pause_ms: int = 0) -> int:
    """A bot with one version, by default of an owner of its own; the version's id."""
    with store.write() as tx:
        owner_name = owner or f"owner-of-{name}"
        owner_id = tx.scalar(select(users.c.id).where(users.c.name == owner_name))
        if owner_id is None:
            owner_row = {"name": owner_name, "is_admin": False, "created_at": START}
            owner_id = tx.scalar(insert(users).values(owner_row).returning(users.c.id))
        row: dict[str, Any] = {"name": name, "owner_id": owner_id, "game": "oware", "created_at": START}
        bot_id = tx.scalar(insert(bots).values(row).returning(bots.c.id))
        return _add_version(tx, bot_id, dice_package(f"{name}/1", pause_ms), 1, state)


def add_version(store: Store, name: str, number: int, state: str = "active") -> int:
    """A further version of a bot."""
    with store.write() as tx:
        bot_id = tx.scalar(select(bots.c.id).where(bots.c.name == name))
        return _add_version(tx, bot_id, dice_package(f"{name}/{number}"), number, state)


def _add_version(tx: Any, bot_id: int | None, package: bytes, number: int, state: str) -> int:
    row = {"bot_id": bot_id, "number": number, "content_hash": hashlib.sha256(package).hexdigest(), "package": package}
    added: int = tx.scalar(insert(versions).values(**row, state=state, submitted_at=START).returning(versions.c.id))
    return added


def add_qualification(store: Store, version_id: int) -> int:
    """A qualification that is due, as a submission leaves it."""
    row = {
        "purpose": "qualification", "ruleset": "oware", "match_format": "games-2", "time_control": "standard",
        "opening_plies": 4, "seed": SEED, "first_version_id": version_id, "state": "due", "created_at": START,
    }
    with store.write() as tx:
        added: int = tx.execute(insert(matches).values(row).returning(matches.c.id)).scalar_one()
    return added


def add_tournament(store: Store, version_ids: Sequence[int], name: str = "cup", **changes: Any) -> int:
    """A running tournament of these versions, in this order of the schedule."""
    cycles = changes.get("cycles", 1)
    with store.write() as tx:
        pinned = {row.id: row.bot_id for row in tx.execute(select(versions.c.id, versions.c.bot_id))}
        owner_id = tx.scalar(select(users.c.id).limit(1))
        row = {
            "name": name, "owner_id": owner_id, "ruleset": "oware", "match_format": "games-2", "time_control": "quick",
            "cycles": cycles, "opening_plies": 4, "seed": SEED, "is_rated": True, "engine_version": ENGINE_VERSION,
            "state": "running", "match_count": match_count(len(version_ids), cycles), "created_at": START,
        }
        added: int = tx.execute(insert(tournaments).values(row | changes).returning(tournaments.c.id)).scalar_one()
        entered = [
            {"tournament_id": added, "number": number, "bot_id": pinned[version_id], "version_id": version_id}
            for number, version_id in enumerate(version_ids)
        ]
        tx.execute(insert(entrants), entered)
    return added


def claim(store: Store, match_ids: Sequence[int], worker: str = "w1", now: Moment | None = None) -> list[Assignment]:
    """All of them that can be claimed."""
    return list(dispatch.claim_each(store, worker, match_ids, now or Moment()))


def play_out(store: Store, moment: Moment) -> None:
    """Tick, deliver and play until nothing is due any more, not even after waiting for what may have been lost."""
    waited = 0
    while waited < 2:
        post = Post()
        dispatch.tick(store, post, moment)
        for batch in post.batches:
            for assignment in dispatch.claim_each(store, "w1", batch, moment):
                results.ingest(store, assignment, play(assignment.setup), 100, moment)
        moment.pass_seconds(0 if post.batches else store.settings.queue_seconds + 1)
        waited = 0 if post.batches else waited + 1


@dataclass(frozen=True)
class Ledgers:
    """Everything that must not depend on who played what when."""

    results: list[tuple[Any, ...]]
    changes: list[tuple[Any, ...]]
    ratings: list[tuple[Any, ...]]


def ledgers(store: Store) -> Ledgers:
    """What stands in the database, without times and ids that order of arrival decides."""
    with store.read() as tx:
        played = select(matches.c.tournament_id, matches.c.schedule_index, matches.c.state, matches.c.seed)
        by_place = {row.id: (row.tournament_id, row.schedule_index) for row in tx.execute(select(matches))}
        changes = tx.execute(select(rating_changes).order_by(rating_changes.c.ruleset, rating_changes.c.id))
        stands = tx.execute(select(ratings).order_by(ratings.c.ruleset, ratings.c.version_id))
        return Ledgers(
            [tuple(row) for row in tx.execute(played.order_by(matches.c.tournament_id, matches.c.schedule_index))],
            [(by_place[row.match_id], row.kind, row.version_id, row.before, row.after) for row in changes],
            [(row.version_id, row.rating, row.matches, row.wins, row.draws, row.losses) for row in stands],
        )


def state_of(store: Store, match_id: int) -> Any:
    """A match's row."""
    with store.read() as tx:
        return tx.execute(select(matches).where(matches.c.id == match_id)).one()


def tournament(store: Store, tournament_id: int) -> Any:
    """A tournament's row."""
    with store.read() as tx:
        return tx.execute(select(tournaments).where(tournaments.c.id == tournament_id)).one()


def version(store: Store, version_id: int) -> Any:
    """A version's row."""
    with store.read() as tx:
        return tx.execute(select(versions).where(versions.c.id == version_id)).one()


@cache
def undisturbed(bots: int) -> Ledgers:
    """The ledgers of a tournament of so many bots, played one by one in schedule order, in a database of its own."""
    with scratch_store() as store:
        add_tournament(store, [add_bot(store, f"bot-{number}") for number in range(bots)])
        play_out(store, Moment())
        return ledgers(store)


@contextmanager
def scratch_store() -> Iterator[Store]:
    """A database of its own, for a run to compare with; no Redis behind it."""
    with TemporaryDirectory(prefix="arena-scratch-") as folder:
        settings = Settings(data_dir=Path(folder), redis_url="redis://127.0.0.1:1/0")
        migrate(settings.sqlalchemy_url)
        store = Store.open(settings)
        yield store
        store.dispose()
