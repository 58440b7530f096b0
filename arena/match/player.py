"""What the referee asks of a bot, whoever runs it.  The sandbox implements `Player`; tests script it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from arena.games import Game, Outcome
from arena.match.time_control import TimeControl
from arena.match.turn import ClockView, Reply


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """All a bot may know of its match; nothing of the opponent and of the seeds.  `seat` is 0 or 1."""

    ruleset: str
    match_format: str
    time_control: TimeControl
    seat: int


class Player(Protocol):
    """One bot in one match.

    Every method but `close` and `log` may raise `BotFault` (the bot pays) or `ArenaFault` (we failed, the match is
    played again).  After a fault with `process_ended` the referee closes the player and opens a new one.
    A player may have an attribute `load_ms`: how long the bot took to load.
    """

    def new_game(self, side: int) -> None:
        """A game begins; the bot plays `side` of the board."""

    def choose(self, game: Game, clock: ClockView, limit_us: int) -> Reply:
        """The bot's answer in the present position; more than `limit_us` of charged time is `BotTimeout`.

        `game` is the referee's own: look, do not push.  A game that goes on is the same object, with more moves.
        """

    def game_over(self, outcome: Outcome | None) -> None:
        """The game has ended; None when it was forfeited.  A fault here costs nothing: the game is decided."""

    def close(self) -> None:
        """End the bot; a second call does nothing."""

    def log(self) -> str:
        """What the bot has printed so far, at most 64 KB; it stays readable after `close`."""


OpenPlayer = Callable[[int, MatchInfo, bytes], Player]
"""(seat, match, 32 bytes of seed) → the player of that seat; raises `BotFault` while loading, or `ArenaFault`."""
