"""Bots, matches and the like for the tests of the sandbox."""

from collections.abc import Callable

from arena.games import Game, load
from arena.match.player import MatchInfo, Player
from arena.match.record_types import BotRef, MatchPlayed, MatchSetup
from arena.match.referee import play_match
from arena.match.time_control import TimeControl
from arena.match.turn import ClockView, Reply

FIRST_LEGAL = b"def choose_move(position):\n    return position.legal_moves()[0]\n"
SEED = bytes(range(32))
LIMIT_US = 2_000_000

Open = Callable[[bytes, int, MatchInfo, bytes, Callable[[], None]], Player]


def info(ruleset: str = "oware", seat: int = 0) -> MatchInfo:
    return MatchInfo(ruleset, "games-2", TimeControl(100, 2000), seat)


def patience() -> None:
    """Nothing to do while waiting."""


def opened(open_player: Open, source: str | bytes, ruleset: str = "oware", seed: bytes = SEED) -> Player:
    package = source.encode() if isinstance(source, str) else source
    return open_player(package, 0, info(ruleset), seed, patience)


def choose(player: Player, game: Game, limit_us: int = LIMIT_US, bank_ms: float = 2000) -> Reply:
    return player.choose(game, ClockView(100, bank_ms, 0), limit_us)


def first_move(open_player: Open, source: str | bytes, ruleset: str = "oware") -> tuple[Reply, str]:
    """What the bot answers at the start of a game, and what it printed."""
    player = opened(open_player, source, ruleset)
    try:
        player.new_game(0)
        return choose(player, Game(load(ruleset))), player.log()
    finally:
        player.close()


def play(open_player: Open, packages: tuple[bytes, bytes], control: str = "quick", match_format: str = "games-2",
         ruleset: str = "oware") -> MatchPlayed:
    """A match of these two bots."""

    def open_seat(seat: int, match: MatchInfo, seed: bytes) -> Player:
        return open_player(packages[seat], seat, match, seed, patience)

    bots = (BotRef("first", 1, "0" * 64), BotRef("second", 1, "0" * 64))
    return play_match(MatchSetup(ruleset, match_format, control, "5a" * 32, 0, bots), open_seat, lambda game, ply: None)
