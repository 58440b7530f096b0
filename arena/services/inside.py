"""What the owner of a bot sees of its last matches, and nobody else: why it failed, and where its time went."""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, repeat

from arena.errors import Forbidden
from arena.games import Position
from arena.match.clock import Clock, parse_time_control
from arena.match.record import from_json
from arena.match.record_types import GameRecord, MatchRecord, TurnRecord, Verdict
from arena.services.bots import find
from arena.services.replays import replay_of
from arena.store import matches
from arena.store.accounts import User
from arena.store.session import Store

LOOKED_AT = 10                  # finished matches
READ = 40                       # newest ones, among which these are sought
FAILURES = 6
SLOWEST = 5
LAST_LINES = 20

_Played = tuple[int, int, MatchRecord, str]     # number, seat of the bot, record, and what the bot printed


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that was lost by a fault.  `ply` turns were done by then, and so the board lay.

    `turn_us` and `bank_us` are what the bot had for the turn and in reserve when it was asked; `used_us` is what it
    took, None where it was not asked or gave no answer that could be timed.  `last_lines` end what it printed in the
    whole match.
    """

    match_id: int
    number: int
    opponent: str
    verdict: Verdict
    ply: int
    position: Position
    turn_us: int
    bank_us: int
    used_us: int | None
    last_lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Slow:
    """One of the turns that took longest."""

    match_id: int
    number: int
    turn: TurnRecord


@dataclass(frozen=True, slots=True)
class Inside:
    """`times` are the microseconds charged by ply, of all games looked at; `turn_ms` if all had the same."""

    matches: int
    failures: tuple[Failure, ...]
    times: Mapping[int, tuple[int, ...]]
    slowest: tuple[Slow, ...]
    turn_ms: int | None


def inside(store: Store, user: User, bot: str) -> Inside:
    """The last matches of one's own bot.  Raises: NotFound, Forbidden."""
    played = list(_last_played(store, user, bot))
    times: dict[int, list[int]] = {}
    slow: list[Slow] = []
    for match_id, seat, record, _ in played:
        for number, game in enumerate(record.games, 1):
            for turn in game.turns:
                if turn.seat == seat:
                    times.setdefault(turn.ply, []).append(turn.timing.charged_us)
                    slow.append(Slow(match_id, number, turn))
    slow.sort(key=lambda one: one.turn.timing.charged_us, reverse=True)
    allowed = {parse_time_control(record.time_control).turn_ms for _, _, record, _ in played}
    return Inside(
        matches=len(played),
        failures=tuple(_failures(played)),
        times={ply: tuple(sorted(times[ply])) for ply in sorted(times)},
        slowest=tuple(slow[:SLOWEST]),
        turn_ms=allowed.pop() if len(allowed) == 1 else None,
    )


def failures_of(match_id: int, seat: int, record: MatchRecord) -> Iterator[Failure]:
    """The games of a match that this seat lost by a fault, the last one first; pure."""
    for number in range(len(record.games), 0, -1):
        game = record.games[number - 1]
        if game.verdict is not None and game.verdict.seat == seat:
            yield _failure(match_id, number, record, game.verdict)


def _failures(played: Iterable[_Played]) -> list[Failure]:
    found: list[Failure] = []
    for match_id, seat, record, log in played:
        last_lines = tuple(log.splitlines()[-LAST_LINES:])
        failed = list(failures_of(match_id, seat, record))[: FAILURES - len(found)]
        found += [replace(failure, last_lines=last_lines) for failure in failed]
    return found


def _failure(match_id: int, number: int, record: MatchRecord, verdict: Verdict) -> Failure:
    replay = replay_of(record, number)
    done = [turn for turn in replay.turns if turn.is_done]
    clock, used = _clock_at(record, replay.record, verdict.seat, len(done))
    return Failure(
        match_id=match_id,
        number=number,
        opponent=record.bots[1 - verdict.seat].name,
        verdict=verdict,
        ply=len(done),
        position=done[-1].after if done else replay.start,
        turn_us=clock.control.turn_ms * 1000,
        bank_us=clock.bank_us[verdict.seat],
        used_us=used,
    )


def _clock_at(record: MatchRecord, game: GameRecord, seat: int, ply: int) -> tuple[Clock, int | None]:
    """The clock, by seat, as it stood before this turn; and what the seat used of it there."""
    clock = Clock(parse_time_control(record.time_control))
    for turn in game.turns:
        if turn.ply >= ply:
            return clock, turn.timing.charged_us if turn.seat == seat else None
        clock.charge(turn.seat, turn.timing.charged_us)
        clock.turn_done(turn.seat)
    return clock, None


def _last_played(store: Store, user: User, bot: str) -> Iterator[_Played]:
    with store.read() as tx:
        found = find(tx, bot)
        if found.owner != user.name:
            raise Forbidden(f"{bot} belongs to {found.owner}; how it failed is for its owner alone.")
        newest = [match for match in matches.of_bot(tx, found.id, None, READ) if match.score is not None][:LOOKED_AT]
        kept = [
            (match, matches.record_of(tx, match.id), matches.reasons_of(tx, match.id), matches.logs_of(tx, match.id))
            for match in newest
        ]
    for match, packed, reasons, logs in kept:
        if packed is not None:
            seat = int(match.first.name != bot)
            record = _with_reasons(from_json(json.loads(zlib.decompress(packed))), reasons)
            yield match.id, seat, record, logs[seat] if logs else ""


def _with_reasons(record: MatchRecord, reasons: Iterable[str | None]) -> MatchRecord:
    """The record with the messages of its verdicts, which nobody else may read."""
    told = zip(record.games, chain(reasons, repeat(None)), strict=False)
    games = (
        game if game.verdict is None else replace(game, verdict=replace(game.verdict, message=reason or ""))
        for game, reason in told
    )
    return replace(record, games=tuple(games))
