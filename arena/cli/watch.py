"""Watching a match: a player that lets somebody see the board before it is asked."""

from collections.abc import Callable

from arena.errors import RuleError
from arena.games import NORTH, Game, Move, Outcome, Position, notation
from arena.match.player import Player
from arena.match.turn import ClockView, Reply


class Watched:
    """A `Player` in front of another one; the clock does not run while it shows and pauses."""

    def __init__(self, player: Player, show: Callable[[str], None], pause: Callable[[], None]) -> None:
        self._player = player
        self._show = show
        self._pause = pause
        self.load_ms = getattr(player, "load_ms", None)

    def new_game(self, side: int) -> None:
        """Say so once, for both."""
        if side == NORTH:
            self._show("\n--- new game")
        self._player.new_game(side)

    def choose(self, game: Game, clock: ClockView, limit_us: int) -> Reply:
        """Show the board, then ask."""
        self._show(f"\n{notation.board(game.position, is_numbered=True)}")
        self._pause()
        reply = self._player.choose(game, clock, limit_us)
        self._show(f"{('South', 'North')[game.position.to_move]} plays {_text(game.position, reply.moves)}")
        return reply

    def game_over(self, outcome: Outcome | None) -> None:
        """How it ended; the bot is told too."""
        self._player.game_over(outcome)

    def close(self) -> None:
        """End the bot."""
        self._player.close()

    def log(self) -> str:
        """What the bot has printed."""
        return self._player.log()


def _text(position: Position, moves: tuple[Move, ...]) -> str:
    """The moves as the game's players write them; what is no turn, as the numbers that they are."""
    try:
        return notation.turn_text(position, moves)
    except RuleError:
        return " ".join(str(move) for move in moves)
