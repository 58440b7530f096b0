"""What the owner of a bot sees of its last matches, and nobody else: why it failed, and where its time went."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat

from arena.errors import Forbidden
from arena.match.record_types import MatchRecord
from arena.match.time_control import parse_time_control
from arena.match.turn import TurnRecord
from arena.services.bots import find
from arena.services.forfeits import Forfeit, forfeits_of
from arena.store import matches
from arena.store.accounts import User
from arena.store.results import unpack
from arena.store.session import Store

LOOKED_AT = 10                  # finished matches
READ = 40                       # newest ones, among which these are sought
FORFEITS = 6
SLOWEST = 5
LAST_LINES = 20

_Played = tuple[int, int, MatchRecord, str]     # number, seat of the bot, record, and what the bot printed


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """A turn of the bot, and in which game of which match it was."""

    match_id: int
    number: int
    turn: TurnRecord


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`times` are the microseconds charged by ply, of all games looked at; `turn_ms` if all had the same."""

    matches: int
    forfeits: tuple[Forfeit, ...]
    times: Mapping[int, tuple[int, ...]]
    slowest: tuple[OwnTurn, ...]
    turn_ms: int | None


def diagnose(store: Store, user: User, bot: str) -> Diagnosis:
    """The last matches of one's own bot.  Raises: NotFound, Forbidden."""
    played = list(_last_played(store, user, bot))
    slowest_first = sorted(_own_turns(played), key=lambda own: own.turn.timing.charged_us, reverse=True)
    allowed = {parse_time_control(record.time_control).turn_ms for _, _, record, _ in played}
    return Diagnosis(
        matches=len(played),
        forfeits=tuple(islice(_forfeits(played), FORFEITS)),
        times=_times_by_ply(slowest_first),
        slowest=tuple(slowest_first[:SLOWEST]),
        turn_ms=allowed.pop() if len(allowed) == 1 else None,
    )


def _own_turns(played: Iterable[_Played]) -> Iterator[OwnTurn]:
    for match_id, seat, record, _ in played:
        for number, game in enumerate(record.games, 1):
            yield from (OwnTurn(match_id, number, turn) for turn in game.turns if turn.seat == seat)


def _times_by_ply(slowest_first: Sequence[OwnTurn]) -> dict[int, tuple[int, ...]]:
    times: dict[int, list[int]] = {}
    for own in reversed(slowest_first):
        times.setdefault(own.turn.ply, []).append(own.turn.timing.charged_us)
    return {ply: tuple(times[ply]) for ply in sorted(times)}


def _forfeits(played: Iterable[_Played]) -> Iterator[Forfeit]:
    for match_id, seat, record, log in played:
        last_lines = tuple(log.splitlines()[-LAST_LINES:])
        for forfeit in forfeits_of(match_id, seat, record):
            yield replace(forfeit, last_lines=last_lines)


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
            record = _with_reasons(unpack(packed), reasons)
            yield match.id, seat, record, logs[seat] if logs else ""


def _with_reasons(record: MatchRecord, reasons: Iterable[str | None]) -> MatchRecord:
    """The record with the messages of its verdicts, which nobody else may read."""
    told = zip(record.games, chain(reasons, repeat(None)), strict=False)
    games = (
        game if game.verdict is None else replace(game, verdict=replace(game.verdict, message=reason or ""))
        for game, reason in told
    )
    return replace(record, games=tuple(games))
