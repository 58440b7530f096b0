"""Bots as quick as they can be, and what they are told of their match: what is left to measure is what runs them."""

from arena.games import Game, load
from arena.match.player import MatchInfo
from arena.match.time_control import TimeControl
from arena.match.turn import ClockView
from arena.sandbox.player import Sandbox
from arena.sandbox.sandboxed_player import SandboxedPlayer

CONSTANT = b"def choose_move(position): return 2\n"
FIRST_LEGAL = b"def choose_move(position): return position.legal_moves()[0]\n"
ECHO = """
import os
while line := os.read(0, 65536):
    os.write(1, b'{"s":1,"m":2}\\n')
"""                                 # no bot at all, and its answer
INFO = MatchInfo("oware", "games-2", TimeControl(100, 2000), 0)
CLOCK = ClockView(100.0, 2000.0, 0.5)
LIMIT_US = 10_000_000
SEED = bytes(32)


def answered_once(sandbox: Sandbox) -> SandboxedPlayer:
    """A player in its first game, whose bot gives the same move again and again, and has done so once."""
    player = sandbox.open_player(CONSTANT, 0, INFO, SEED, lambda: None)
    assert isinstance(player, SandboxedPlayer)
    player.new_game(0)
    player.choose(Game(load("oware")), CLOCK, LIMIT_US)
    return player
