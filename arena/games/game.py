"""One playing of a game: a position with its history, which knows repetition and the limits on length."""

from __future__ import annotations

from collections.abc import Iterable

from arena.errors import IllegalMove, InvalidPosition
from arena.games.history import History
from arena.games.options import shown
from arena.games.outcome import Move, Outcome
from arena.games.position import Position
from arena.games.rules import Rules


class Game:
    """A game being played, from the start or from a given position.

    After each turn the board may end the game; else a repetition does, then too many moves without a capture
    (`quiet_limit`), then the limit on turns (`ply_cap`).
    """

    def __init__(self, rules: Rules, position: Position | None = None) -> None:
        start = rules.initial() if position is None else position
        if start.rules != rules:
            raise InvalidPosition(f"the position is one of {start.rules.ruleset}, the game is {rules.ruleset}")
        self._rules = rules
        self._start = start
        self._position = start
        self._turn_start = start.board.progress.start or start.board
        self._moves: list[Move] = []
        self._history = History(rules, self._turn_start)
        self._outcome: Outcome | None = start.outcome()

    @property
    def rules(self) -> Rules:
        return self._rules

    @property
    def start(self) -> Position:
        return self._start

    @property
    def position(self) -> Position:
        return self._position

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves made, in order."""
        return tuple(self._moves)

    def moves_since(self, count: int) -> tuple[Move, ...]:
        """The moves made after the first `count`."""
        return tuple(self._moves[count:])

    @property
    def turns(self) -> int:
        """How many turns are complete; a turn may take several moves."""
        return self._history.turns

    def legal_moves(self) -> tuple[Move, ...]:
        """Ascending; empty exactly when the game is over, for whatever reason."""
        return () if self._outcome is not None else self._position.legal_moves()

    def outcome(self) -> Outcome | None:
        """None while the game goes on."""
        return self._outcome

    def push(self, move: object) -> None:
        """Make a move.  Raises: IllegalMove, and then nothing has changed."""
        if self._outcome is not None:
            raise IllegalMove(f"move {shown(move)} is illegal: the game is over ({self._outcome.ending})")
        position = self._position.play(move)
        assert isinstance(move, int)    # `play` has made sure
        self._moves.append(move)
        self._position = position
        self._outcome = position.outcome()
        if self._outcome is not None or not position.is_mid_turn():
            self._finish_turn()

    def _finish_turn(self) -> None:
        """Count the turn just completed, and see whether the history ends the game."""
        board = self._position.board
        ending = self._history.finish_turn(self._turn_start, board)
        self._turn_start = board
        if ending and self._outcome is None:
            self._outcome = self._rules.adjudicate(board, ending)

    def copy(self) -> Game:
        """A game of its own with the same history."""
        twin = Game(self._rules, self._start)
        twin._position = self._position
        twin._moves = self._moves.copy()
        twin._turn_start = self._turn_start
        twin._history = self._history.copy(self._turn_start)
        twin._outcome = self._outcome
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        return replayed, (self._rules, self._start, self.moves)

    def __repr__(self) -> str:
        return f"<Game {self._rules.ruleset}, {self.turns} turns: {self._position!r}>"


def replayed(rules: Rules, start: Position, moves: Iterable[Move]) -> Game:
    """The game that these moves make.  Raises: IllegalMove."""
    game = Game(rules, start)
    for move in moves:
        game.push(move)
    return game

