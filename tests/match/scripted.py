"""Players whose answers a test writes down, and the opener that hands them to the referee."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from arena.games import Game, Outcome
from arena.match.player import MatchInfo
from arena.match.record import BotRef, MatchPlayed, MatchSetup, replay
from arena.match.referee import OnProgress, play_match
from arena.match.turn import ClockView, Reply, Timing

Answer = int | Iterable[int] | Reply
Strategy = Callable[[Game, ClockView, int], Answer]

SEED = "5eed" * 16
BOTS = (BotRef("alice", 1, "a" * 64), BotRef("bob", 3, "b" * 64))


def took(us: int) -> Timing:
    return Timing(us, us + 7, us, 7)


def setup(ruleset: str = "oware", match_format: str = "games-2", opening_plies: int = 4, **changes: str) -> MatchSetup:
    return MatchSetup(
        ruleset, match_format, changes.get("time_control", "quick"), changes.get("seed", SEED), opening_plies, BOTS
    )


def lowest(game: Game, clock: ClockView, limit_us: int) -> Answer:
    """The lowest legal move."""
    return game.legal_moves()[0]


def any_move(seed: int) -> Strategy:
    """A random legal move; the whole strategy repeats for the same seed."""
    dice = random.Random(seed)
    return lambda game, clock, limit_us: dice.choice(game.legal_moves())


def any_turn(seed: int) -> Strategy:
    """A random whole turn in one answer, taking a random time within the limit."""
    dice = random.Random(seed)

    def choose(game: Game, clock: ClockView, limit_us: int) -> Answer:
        position, moves = game.position, list[int]()
        while not moves or position.is_mid_turn():
            moves.append(dice.choice(position.legal_moves()))
            position = position.play(moves[-1])
        return Reply(tuple(moves), took(dice.randrange(min(limit_us, 150_000))))

    return choose


def at_ply(ply: int, strategy: Strategy, otherwise: Strategy = lowest) -> Strategy:
    """One strategy from that ply on, before it another."""
    return lambda game, clock, limit_us: (strategy if game.turns >= ply else otherwise)(game, clock, limit_us)


def raising(fault: Exception) -> Strategy:
    def choose(game: Game, clock: ClockView, limit_us: int) -> Answer:
        raise fault

    return choose


def never(*ignored: object) -> None:
    """Nothing happens."""


@dataclass
class ScriptedPlayer:
    """A `Player` without a process; `by_game` are the strategies of its first games, where they are others.

    `seen` is what it was told, in order.
    """

    strategy: Strategy
    by_game: list[Strategy] = field(default_factory=list)
    announced: Callable[[int], None] = never
    ended: Callable[[Outcome | None], None] = never
    printed: str = ""
    seen: list[object] = field(default_factory=list)
    clocks: list[ClockView] = field(default_factory=list)
    closed: int = 0

    def new_game(self, side: int) -> None:
        self.seen.append(("new_game", side))
        self.playing = self.by_game.pop(0) if self.by_game else self.strategy
        self.announced(side)

    def choose(self, game: Game, clock: ClockView, limit_us: int) -> Reply:
        self.clocks.append(clock)
        answer = self.playing(game, clock, limit_us)
        if isinstance(answer, Reply):
            return answer
        return Reply((answer,) if isinstance(answer, int) else tuple(answer), took(1_000))

    def game_over(self, outcome: Outcome | None) -> None:
        self.seen.append(("game_over", outcome and outcome.ending))
        self.ended(outcome)

    def close(self) -> None:
        self.closed += 1

    def log(self) -> str:
        return self.printed


Script = ScriptedPlayer | list[ScriptedPlayer | Exception]


@dataclass
class Table:
    """Opens scripted players: per seat one, or a list of them, one for each time it is opened."""

    first: Script
    second: Script
    opened: list[tuple[int, MatchInfo, bytes]] = field(default_factory=list)
    given: list[ScriptedPlayer] = field(default_factory=list)

    def open_player(self, seat: int, info: MatchInfo, seed: bytes) -> ScriptedPlayer:
        self.opened.append((seat, info, seed))
        script = (self.first, self.second)[seat]
        player = script.pop(0) if isinstance(script, list) else script
        if isinstance(player, Exception):
            raise player
        self.given.append(player)
        return player


def table(first: Strategy = lowest, second: Strategy = lowest) -> Table:
    return Table(ScriptedPlayer(first), ScriptedPlayer(second))


def against(seat: int, script: Script, other: Script) -> Table:
    """The script in that seat, the other in the other."""
    return Table(script, other) if seat == 0 else Table(other, script)


silent: OnProgress = never


def play(
    at: Table, ruleset: str = "oware", match_format: str = "games-2", plies: int = 4, **changes: str
) -> MatchPlayed:
    """A match played out, whose record replays."""
    played = play_match(setup(ruleset, match_format, plies, **changes), at.open_player, silent)
    replay(played.record)
    return played
