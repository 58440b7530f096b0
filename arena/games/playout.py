"""Games played to their end by chance: for bots that judge a position by what random play makes of it."""

from __future__ import annotations

from arena.games.history import History
from arena.games.native import Final, i64
from arena.games.outcome import Outcome
from arena.games.position import Position

_MULTIPLIER: Final = 48271      # the minimal standard generator (Park and Miller, 1988; 1993)
_MODULUS: Final = 2147483647


def play_out(position: Position, seed: int) -> Outcome:
    """The outcome of a game that begins here and in which every move is drawn by lot.

    The same seed draws the same game.  The history before `position` is not known; from here on repetition and the
    limits count as in any game.
    """
    rules, board = position.rules, position.board
    before = board.progress.start or board
    history = History(rules, before)
    chance: i64 = 1 + seed % (_MODULUS - 1)
    while moves := rules.legal_moves(board):
        count: i64 = len(moves)
        chance = chance * _MULTIPLIER % _MODULUS
        after = board.copy()
        rules.advance(board, moves[chance % count], after)
        board = after
        if not rules.is_mid_turn(board):
            ending = history.finish_turn(before, board)
            if ending and rules.legal_moves(board):
                return rules.adjudicate(board, ending)
            before = board
    return rules.outcome(board)
