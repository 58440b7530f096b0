"""Records of matches that were really played, by scripted players, with as much variety as there is."""

from dataclasses import replace
from functools import cache

from arena.errors import BotCrash, BotException, BotTimeout
from arena.games import Game
from arena.match.record import MatchRecord
from arena.match.referee import play_match
from arena.match.turn import ClockView
from tests.match.scripted import (
    Answer,
    ScriptedPlayer,
    Strategy,
    Table,
    any_move,
    any_turn,
    at_ply,
    lowest,
    raising,
    setup,
    silent,
    took,
)

TERMS = [
    ("oware", "best-of-5", 4),
    ("oware:quiet_limit=5", "antigua", 2),
    ("urim:pits=7", "games-3", 0),
    ("anywoli", "games-2", 4),
    ("omweso", "points-4", 4),
    ("omweso:setup=free", "games-2", 4),
    ("omweso:max_plies=6", "games-1", 4),
    ("nsolo", "games-2", 5),
    ("nsolo:columns=10", "games-1", 3),
]


@cache
def record_of(ruleset: str, match_format: str, opening_plies: int, dice: int = 0) -> MatchRecord:
    """A clean match of random bots; one answers in whole turns, the other move by move."""
    players = Table(ScriptedPlayer(any_turn(dice)), ScriptedPlayer(any_move(dice + 1)))
    return play_match(setup(ruleset, match_format, opening_plies), players.open_player, silent).record


@cache
def forfeited_record() -> MatchRecord:
    """Seven games of oware with forfeits in mid-game, at once, by both, and a bot that will not load at the end."""
    crash = raising(BotCrash('signal 11, "core"', process_ended=True, timing=took(1_234_567)))
    error = raising(BotException("ZeroDivisionError: [1, 2]", timing=took(5_000)))
    first = ScriptedPlayer(lowest, by_game=[at_ply(9, error), lowest])
    second = ScriptedPlayer(lowest, by_game=[lowest, at_ply(4, lambda *ignored: 17), lowest, at_ply(8, crash)])
    table = Table(first, [second, BotTimeout("the import took longer than 10 s")])
    return play_match(setup(match_format="games-9"), table.open_player, silent, isolation="A").record


@cache
def unfinished_turn_record() -> MatchRecord:
    """Two games of Omweso; in the first a bot fails in the middle of its set-up."""
    half = ScriptedPlayer(lowest, by_game=[_then(3, BotException("half way"))])
    table = Table(half, ScriptedPlayer(lowest))
    return play_match(setup("omweso:setup=free", "games-2"), table.open_player, silent).record


def published(record: MatchRecord) -> MatchRecord:
    """What others read of it: verdicts without their messages."""
    games = (game if game.verdict is None else replace(game, verdict=replace(game.verdict, message=""))
             for game in record.games)
    return replace(record, games=tuple(games))


def _then(moves: int, fault: Exception) -> Strategy:
    """The lowest legal moves, so many of them, and then the fault."""
    left = [lowest] * moves

    def choose(game: Game, clock: ClockView, limit_us: int) -> Answer:
        strategy = left.pop() if left else raising(fault)
        return strategy(game, clock, limit_us)

    return choose


def records() -> list[MatchRecord]:
    return [*(record_of(*terms) for terms in TERMS), forfeited_record(), unfinished_turn_record()]
