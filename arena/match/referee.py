"""Plays a match to its end: two bots, one format, one record.

A bot's fault costs it the game; a bot that cannot be loaded, or forfeits three games in a row, loses the match; a bot
whose process ended gets a fresh one for the next game.  A fault of ours propagates.  Whatever happens, the players
are closed.
"""

from collections.abc import Callable
from contextlib import ExitStack

from arena import games
from arena.errors import BotFault, Invalid
from arena.games import Rules
from arena.match.format import Due, GameResult, defaults_of, due, is_decided, parse_format
from arena.match.game_underway import GameUnderway, forfeited, verdict_on
from arena.match.openings import bot_seed, check_opening_plies, is_seed
from arena.match.player import MatchInfo, OpenPlayer, Player
from arena.match.record_types import ENGINE_VERSION, GameRecord, MatchPlayed, MatchRecord, MatchSetup, Verdict
from arena.match.scoring import result_of, score_of
from arena.match.time_control import parse_time_control

LONGEST_LOG = 64 * 1024     # of all processes of one bot in one match

OnProgress = Callable[[int, int], None]
"""(number of the game, ply): called before every game and every turn; what it raises ends the match."""


def play_match(
    setup: MatchSetup, open_player: OpenPlayer, on_progress: OnProgress, *, isolation: str = "none"
) -> MatchPlayed:
    """Play the match.

    Args: isolation: how the bots are kept apart, for the record.
    Raises: ArenaFault, and whatever `on_progress` raises.  RuleError or Invalid when the setup names nothing playable.
    """
    match = _Match(setup, on_progress)
    seats = _Seats(setup.seed, match.info, open_player)
    try:
        while not is_decided(match.form, match.results):
            match.play_game(seats)
    finally:
        seats.close()
    return MatchPlayed(match.record(isolation), seats.logs(), seats.load_ms())


class _Match:
    """A match in play: its terms, and the games so far."""

    def __init__(self, setup: MatchSetup, on_progress: OnProgress) -> None:
        check_opening_plies(setup.opening_plies)
        if not is_seed(setup.seed):
            raise Invalid(f"a match's seed is 64 hex digits, not {setup.seed[:80]!r}", field="seed")
        self.setup = setup
        self.rules: Rules = games.load(setup.ruleset)
        self.form = parse_format(setup.match_format)
        self.control = parse_time_control(setup.time_control)
        self.games: list[GameRecord] = []
        self.results: list[GameResult] = []
        self._on_progress = on_progress

    def info(self, seat: int) -> MatchInfo:
        return MatchInfo(self.rules.ruleset, self.form.name, self.control, seat)

    def play_game(self, seats: "_Seats") -> None:
        """Play the game that is due, with fresh processes where one is missing."""
        self._on_progress(len(self.games), 0)
        next_game = due(self.results)
        verdict = seats.open_missing()
        record = self._refereed(next_game, seats) if verdict is None else forfeited(next_game, verdict, self.rules)
        self.games.append(record)
        self.results.append(result_of(record, defaults_of(self.rules.name)))

    def _refereed(self, next_game: Due, seats: "_Seats") -> GameRecord:
        players = (seats.player(next_game.south), seats.player(1 - next_game.south))
        underway = GameUnderway(self.rules, self.control, next_game, players)
        underway.play(self.setup.seed, self.setup.opening_plies, self._on_progress, len(self.games))
        for seat in underway.tell_result():
            seats.drop(seat)
        return underway.record()

    def record(self, isolation: str) -> MatchRecord:
        score = score_of(self.form, self.results)
        return MatchRecord(
            self.rules.ruleset,
            self.form.name,
            str(self.control),
            self.setup.seed,
            self.setup.opening_plies,
            self.setup.bots,
            tuple(self.games),
            score.match,
            score.points,
            score.winner,
            ENGINE_VERSION,
            isolation,
        )


class _Seats:
    """The processes of the two bots: opened when a game needs them, dropped when one ended, closed at the end."""

    def __init__(self, seed: str, info: Callable[[int], MatchInfo], open_player: OpenPlayer) -> None:
        self._seed = seed
        self._info = info
        self._open_player = open_player
        self._players: list[Player | None] = [None, None]
        self._logs = ["", ""]
        self._load_ms: list[int | None] = [None, None]

    def open_missing(self) -> Verdict | None:
        """Open who has no process; the verdict on the first that cannot be loaded."""
        for seat in (0, 1):
            if self._players[seat] is None:
                try:
                    self._players[seat] = self._open_player(seat, self._info(seat), bot_seed(self._seed, seat))
                except BotFault as fault:
                    self._logs[seat] += fault.log
                    return verdict_on(seat, fault, is_loading=True)
                self._load_ms[seat] = getattr(self._players[seat], "load_ms", None)     # only processes have it
        return None

    def player(self, seat: int) -> Player:
        player = self._players[seat]
        if player is None:
            raise ValueError(f"seat {seat} is not open")
        return player

    def drop(self, seat: int) -> None:
        """Close a player and keep its log."""
        player, self._players[seat] = self._players[seat], None
        if player is not None:
            player.close()
            self._logs[seat] += player.log()

    def close(self) -> None:
        """Close both, the second also when the first refuses."""
        with ExitStack() as stack:
            for seat in (0, 1):
                stack.callback(self.drop, seat)

    def logs(self) -> tuple[str, str]:
        first, second = (log[:LONGEST_LOG] for log in self._logs)
        return first, second

    def load_ms(self) -> tuple[int | None, int | None]:
        first, second = self._load_ms
        return first, second
