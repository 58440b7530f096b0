"""A large arena to measure on: bots, tournaments in which a hundred meet, results, ledger and boards, put in as rows.

Ratings wander at random: they are as many as real ones, and add up to nothing.
"""

import hashlib
import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from arena.games import Game, Outcome
from arena.match.player import MatchInfo
from arena.match.record import BotRef, MatchPlayed, MatchSetup
from arena.match.referee import play_match
from arena.match.turn import ClockView, Reply, Timing
from arena.store import results
from arena.tournament.round_robin import match_count, pairing_at
from arena.tournament.standings import Result
from arena.tournament.tally import PAIR_COLUMNS, Tally, Totals, count

ENTRANTS = 100
A_CUP = match_count(ENTRANTS, 1)
FILLER = bytes(range(256)) * 2          # where nobody looks at the record
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
TEXT_OF_TIME = "%Y-%m-%d %H:%M:%S.%f"
SCORES = ((2, 0), (1, 1), (0, 2))


def fill(database: Path, bots: int, matches: int, *, is_at_rest: bool = False) -> int:
    """Fill a migrated SQLite file; the number of tournaments, the last of which has just begun, unless all is over."""
    with _rows_of(database) as connection:
        cups = -(-matches // A_CUP)
        _add_bots(connection, bots)
        ratings = {bot: [1500.0, 0, 0, 0, 0] for bot in range(1, bots + 1)}
        for cup in range(1, cups + 1):
            _add_cup(connection, cup, bots, ratings, is_running=cup == cups and not is_at_rest)
        _add_ratings(connection, ratings, 2 * cups * A_CUP)
    return cups


def fill_board(database: Path, ratings: Sequence[float], matches: int) -> list[str]:
    """Fill a migrated SQLite file with one bot for each rating, all of so many matches; their names."""
    with _rows_of(database) as connection:
        _add_bots(connection, len(ratings))
        counts = (matches, matches - 50, 10, 40)
        rows = {bot: [rating, *counts] for bot, rating in enumerate(ratings, 1)}
        _add_ratings(connection, rows, len(ratings))
    return [_name(bot) for bot in rows]


@contextmanager
def _rows_of(database: Path) -> Iterator[sqlite3.Connection]:
    """One transaction in which very many rows are quickly added."""
    connection = sqlite3.connect(database, isolation_level=None)
    for pragma in ("synchronous=OFF", "journal_mode=MEMORY", "cache_size=-200000"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("BEGIN")
    yield connection
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.close()


def _add_ratings(connection: sqlite3.Connection, ratings: dict[int, list[Any]], sequence: int) -> None:
    """Those of bots that have played."""
    _insert(connection, "rulesets", [("oware", sequence)])
    rows = (
        ("oware", bot, bot, rating, *counts, sequence, _moment(sequence))
        for bot, (rating, *counts) in ratings.items() if counts[0]
    )
    columns = "ruleset, version_id, bot_id, rating, matches, wins, draws, losses, sequence, rated_at"
    _insert(connection, f"ratings ({columns})", rows)


def _name(bot: int) -> str:
    return f"bot-{bot:05}"


def _add_bots(connection: sqlite3.Connection, bots: int) -> None:
    now = BEGIN.strftime(TEXT_OF_TIME)
    numbers = range(1, bots + 1)
    _insert(connection, "users (id, name, is_admin, created_at)", ((n, f"owner-{n}", 0, now) for n in numbers))
    rows = ((n, _name(n), n, "oware", 1, now) for n in numbers)
    _insert(connection, "bots (id, name, owner_id, game, is_open, created_at)", rows)
    versions = ((n, n, 1, "0" * 64, b"", "active", now) for n in numbers)
    columns = "id, bot_id, number, content_hash, package, state, submitted_at"
    _insert(connection, f"versions ({columns})", versions)


def _add_cup(
    connection: sqlite3.Connection, cup: int, bots: int, ratings: dict[int, list[Any]], *, is_running: bool
) -> None:
    dice = random.Random(cup)
    entered = [1, *dice.sample(range(2, bots + 1), ENTRANTS - 1)]       # bot 1 plays everywhere
    first_id, played = (cup - 1) * A_CUP + 1, A_CUP // 2 if is_running else A_CUP
    _insert_cup(connection, cup, entered, played, is_running=is_running)
    tallies = {number: Tally.of_none(ENTRANTS) for number in range(ENTRANTS)}
    matches, kept, ledger, events = [], [], [], []
    for index in range(played):
        match_id, pairing = first_id + index, pairing_at(ENTRANTS, 1, index)
        pair = (entered[pairing.first], entered[pairing.second])
        score = dice.choice(SCORES)
        count(tallies[pairing.first], tallies[pairing.second], Result(pairing.first, pairing.second, score, score))
        at = _moment(match_id)
        matches.append((match_id, "tournament", cup, index, "oware", "best-of-5", "quick", 4, "0" * 64, *pair,
                        "finished", 1, 0, at, at))
        kept.append((match_id, 1, None if score == (1, 1) else score.index(2), *score, *score, 4, "0" * 64, FILLER,
                     "", "", 900, at))
        before = tuple(ratings[bot][0] for bot in pair)
        for seat in (0, 1):
            ledger.append(_rated(ratings, match_id, pair, before, seat, score, dice, at))
        events += [(cup, 2 * index + 1, "result", match_id), (cup, 2 * index + 2, "rating", match_id)]
    _insert(connection, "matches (id, purpose, tournament_id, schedule_index, ruleset, match_format, time_control, "
            "opening_plies, seed, first_version_id, second_version_id, state, attempt, failures, created_at, "
            "ended_at)", matches)
    _insert(connection, "results (match_id, attempt, winner, first_score, second_score, first_points, second_points, "
            "games, record_hash, record, first_log, second_log, duration_ms, created_at)", kept)
    _insert(connection, "rating_changes (ruleset, kind, match_id, bot_id, version_id, before, after, expected, k, "
            "score, opponent_version_id, opponent_before, created_at)", ledger)
    _insert(connection, "events", events)
    _insert(connection, "tallies", ((cup, number, *_columns(tally)) for number, tally in tallies.items()))


def _insert_cup(
    connection: sqlite3.Connection, cup: int, entered: list[int], played: int, *, is_running: bool
) -> None:
    at = _moment(cup * A_CUP)
    _insert(
        connection,
        "tournaments (id, name, owner_id, ruleset, match_format, time_control, cycles, opening_plies, seed, is_rated, "
        "engine_version, state, match_count, next_index, rating_cursor, created_at, started_at, ended_at)",
        [(cup, f"cup-{cup}", 1, "oware", "best-of-5", "quick", 1, 4, "0" * 64, 1, "0.1.0",
          "running" if is_running else "finished", A_CUP, played, played, at, at, None if is_running else at)],
    )
    rows = ((cup, number, bot, bot) for number, bot in enumerate(entered))
    _insert(connection, "entrants (tournament_id, number, bot_id, version_id)", rows)


def _rated(  # noqa: PLR0913, PLR0917  # the parts of a row
    ratings: dict[int, list[Any]], match_id: int, pair: tuple[int, int], before: tuple[float, ...], seat: int,
    score: tuple[int, int], dice: random.Random, at: str,
) -> tuple[Any, ...]:
    bot, other = pair[seat], pair[1 - seat]
    after = round(before[seat] + dice.uniform(0, 12) * (score[seat] - 1) + dice.uniform(-1, 1), 6)
    standing = ratings[bot]
    standing[0] = after
    standing[1] += 1
    standing[2 + (2 - score[seat])] += 1
    own = ("oware", "match", match_id, bot, bot, before[seat], after, 0.5, 20, score[seat])
    return (*own, other, before[1 - seat], at)


def _columns(tally: Tally) -> Iterator[Any]:
    yield from (getattr(tally.totals, name) for name in Totals.__slots__)
    yield from (getattr(tally.pairs, name).tobytes() for name in PAIR_COLUMNS)


def _insert(connection: sqlite3.Connection, table: str, rows: Any) -> None:
    listed = list(rows)
    connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(listed[0]))})", listed)


def _moment(number: int) -> str:
    return (BEGIN + timedelta(seconds=20 * number)).strftime(TEXT_OF_TIME)


class Dice:
    """Plays at random, and takes a millisecond or so for every turn."""

    def __init__(self, seat: int) -> None:
        self._dice = random.Random(seat)

    def new_game(self, side: int) -> None:
        """Nothing to prepare."""

    def choose(self, game: Game, clock: ClockView, limit_us: int) -> Reply:
        charged = self._dice.randrange(200, 9000)
        return Reply((self._dice.choice(game.legal_moves()),), Timing(charged, charged + 150, charged, 150))

    def game_over(self, outcome: Outcome | None) -> None:
        """Nothing to learn."""

    def close(self) -> None:
        """Nothing to end."""

    def log(self) -> str:
        return ""


def put_record(database: Path, match_id: int, bots: tuple[str, str]) -> None:
    """Give one match a record that was really played."""
    refs = tuple(BotRef(name, 1, hashlib.sha256(name.encode()).hexdigest()) for name in bots)
    setup = MatchSetup("oware", "best-of-5", "quick", "0" * 64, 4, (refs[0], refs[1]))

    def open_player(seat: int, info: MatchInfo, seed: bytes) -> Dice:
        return Dice(seat)

    played: MatchPlayed = play_match(setup, open_player, lambda game, ply: None)
    connection = sqlite3.connect(database)
    packed = results.pack(played.record)
    connection.execute("UPDATE results SET record = ? WHERE match_id = ?", (packed.content, match_id))
    connection.commit()
    connection.close()
