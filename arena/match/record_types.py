"""What is kept of a match: values only.  `seat` is 0 for the first bot of the match, 1 for the second; never a side."""

from dataclasses import dataclass
from fractions import Fraction

from arena import __version__
from arena.match.turn import TurnRecord

ENGINE_VERSION = __version__        # in every record: under which rules and referee it was played
VERDICT_KINDS = ("illegal_move", "timeout", "exception", "crash", "memory", "output", "protocol", "security", "load")


@dataclass(frozen=True, slots=True)
class BotRef:
    """The version of a bot that plays; `content_hash` is the SHA-256 of its package, in hex."""

    name: str
    version: int
    content_hash: str


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """All that determines a match before it is played; `seed` is 32 bytes in hex, which no bot ever sees."""

    ruleset: str
    match_format: str
    time_control: str
    seed: str
    opening_plies: int
    bots: tuple[BotRef, BotRef]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which seat forfeited a game, and why; `kind` is one of `VERDICT_KINDS`.

    `message` is for the owner of the bot alone, and not in the forms of a record that others read.
    `is_loading`: the bot could not be loaded, which costs the match.
    """

    seat: int
    kind: str
    message: str = ""
    is_loading: bool = False


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game.  `moves` are all of them; `opening` are those the arena drew (they follow a set-up phase, if any).

    `ending` is the rules' word, or the verdict's kind when the game was forfeited; `winner` is a seat and `points`
    are by seat.
    """

    south: int
    opening: tuple[int, ...]
    moves: tuple[int, ...]
    ending: str
    winner: int | None
    points: tuple[Fraction, Fraction]
    verdict: Verdict | None
    turns: tuple[TurnRecord, ...]


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that was played to its end; `score` is in half-points of the match: 2:0, 1:1 or 0:2."""

    ruleset: str
    match_format: str
    time_control: str
    seed: str
    opening_plies: int
    bots: tuple[BotRef, BotRef]
    games: tuple[GameRecord, ...]
    score: tuple[int, int]
    points: tuple[Fraction, Fraction]
    winner: int | None
    engine_version: str
    isolation: str


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """A record with what is not part of it: each bot's log (its owner's alone) and how long it took to load."""

    record: MatchRecord
    logs: tuple[str, str]
    load_ms: tuple[int | None, int | None] = (None, None)
