"""The rules of the games: which moves are legal, what a move does, when and how a game ends.  Pure, no I/O.

>>> rules = load("oware")
>>> rules.initial().play(2).pits
(4, 4, 0, 5, 5, 5, 5, 4, 4, 4, 4, 4)
"""

from arena.compiling import is_compiled, prefer_compiled

prefer_compiled(__path__)           # before anything that has two forms is imported

from arena.games import notation
from arena.games.game import Game
from arena.games.outcome import HAND, NORTH, SOUTH, Move, Outcome, Side, Step, opponent_of
from arena.games.position import Position
from arena.games.registry import describe, load, names
from arena.games.rules import Rules

__all__ = [
    "HAND", "NORTH", "SOUTH", "Game", "Move", "Outcome", "Position", "Rules", "Side", "Step",
    "describe", "is_compiled", "load", "names", "notation", "opponent_of",
]
