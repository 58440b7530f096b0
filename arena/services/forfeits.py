"""The games that a bot lost by a fault: where it stood, and what time it had.  Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.games import Position
from arena.match.clock import Clock
from arena.match.record_types import GameRecord, MatchRecord, Verdict
from arena.match.time_control import parse_time_control
from arena.services.replays import replay_of


@dataclass(frozen=True, slots=True)
class Forfeit:
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


def forfeits_of(match_id: int, seat: int, record: MatchRecord) -> Iterator[Forfeit]:
    """The games of a match that this seat lost by a fault, the last one first."""
    for number in range(len(record.games), 0, -1):
        game = record.games[number - 1]
        if game.verdict is not None and game.verdict.seat == seat:
            yield _forfeit(match_id, number, record, game.verdict)


def _forfeit(match_id: int, number: int, record: MatchRecord, verdict: Verdict) -> Forfeit:
    replay = replay_of(record, number)
    done = [turn for turn in replay.turns if turn.is_done]
    clock, used = _clock_at(record, replay.record, verdict.seat, len(done))
    return Forfeit(
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
