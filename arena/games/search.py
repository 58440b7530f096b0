"""The best move by looking ahead: alpha-beta search that remembers positions, deeper and deeper within a budget.

    found = search.best(position, depth=6)
    found = search.best(game, seconds=0.05, clock=time.perf_counter)
    found.move, found.value, found.depth, found.nodes, found.line

It plays every game: whose decision comes next is read from the board.  Depth counts decisions, so a turn of several
uses up several.  A position is judged for the side to move: by `evaluate(position)` or, without one, by its lead in
seeds; a finished game by its points, the sooner won the better.

What happened before is not looked at: a position that comes again is searched as if it were new.  Where a `Game` is
given, its own next moves are the exception: one that ends it by repetition or by a limit is known to do so.
"""

from __future__ import annotations

from collections.abc import Callable

from arena.games.board import Board
from arena.games.game import Game
from arena.games.memory import EXACT, FORGOTTEN, LEAST, MOST, Memory
from arena.games.native import Final, i64
from arena.games.outcome import Move, Outcome
from arena.games.position import Position
from arena.games.rules import Rules

HALF_POINT: Final = 100_000     # at the end of a game; evaluations are smaller
DEEPEST: Final = 99             # decisions

_NOTHING: Final = -(1 << 40)    # less than every value
_NODES_A_LOOK: Final = 0x3F     # as bits: the clock is looked at when all of them are 0


class Found:
    """The best move found.

    `value`: what it is worth to the side to move, in the deepest search that was completed; `depth`: of that search;
    `nodes`: positions looked at in all; `line`: the moves expected, the best one first, as far as they are remembered.
    """

    __slots__ = ("depth", "line", "move", "nodes", "value")

    def __init__(self, value: int, depth: int, nodes: int, line: tuple[Move, ...]) -> None:
        self.move = line[0]
        self.value = value
        self.depth = depth
        self.nodes = nodes
        self.line = line

    def __repr__(self) -> str:
        return f"Found(move={self.move}, value={self.value}, depth={self.depth}, nodes={self.nodes}, line={self.line})"


class _EnoughSeen(Exception):
    """The budget is used up."""


def best(position: Position | Game, depth: int | None = None, nodes: int | None = None, seconds: float | None = None,
         clock: Callable[[], float] | None = None) -> Found:
    """The best move, judged by the lead in seeds, with nothing remembered from before; see `Search.best`."""
    return Search().best(position, depth, nodes, seconds, clock)


class Search:
    """A search, and what it remembers from one move to the next.

    `evaluate` says what a position is worth to the side to move, in whole numbers nearer to 0 than HALF_POINT.
    `entries` is how many positions are remembered, at 24 bytes each.
    """

    def __init__(self, evaluate: Callable[[Position], int] | None = None, entries: int = 1 << 16) -> None:
        self._evaluate = evaluate
        self._memory = Memory(entries)
        self._rules: Rules | None = None
        self._line: list[Board] = []            # the boards from the root to the one looked at; later ones are scratch
        self._nodes: i64 = 0
        self._budget: i64 = 0
        self._clock: Callable[[], float] | None = None
        self._deadline = 0.0
        self._saw_horizon = False               # whether a position was judged before its game had ended

    def best(self, position: Position | Game, depth: int | None = None, nodes: int | None = None,
             seconds: float | None = None, clock: Callable[[], float] | None = None) -> Found:
        """The best move within a budget: a depth, a number of nodes, or seconds by a clock like `time.perf_counter`.

        Whatever the budget, one decision is looked ahead.  The value of a depth does not depend on what is remembered.
        Raises: ValueError when no budget is named, or the game is over.
        """
        if depth is None and nodes is None and seconds is None:
            raise ValueError("name a budget: depth=…, nodes=…, or seconds=… with clock=time.perf_counter")
        if seconds is not None and clock is None:
            raise ValueError("seconds need a clock that counts them: clock=time.perf_counter")
        moves = position.legal_moves()
        if not moves:
            raise ValueError("the game is over: there is no move to look for")
        ends: dict[Move, Outcome] = _ends_by_history(position) if isinstance(position, Game) else {}
        start = position.position if isinstance(position, Game) else position
        self._set_out(start, nodes)
        if clock is not None and seconds is not None:
            self._deadline = clock() + seconds
            self._clock = clock
        return self._deepen(list(moves), ends, DEEPEST if depth is None else min(depth, DEEPEST))

    def _set_out(self, start: Position, nodes: int | None) -> None:
        if self._rules is not None and start.rules != self._rules:
            self._memory.clear()
        self._rules = start.rules
        self._line = [start.board.copy() for _ in range(DEEPEST + 1)]
        self._nodes = 0
        self._budget = 1 << 62 if nodes is None else nodes
        self._clock = None

    def _deepen(self, moves: list[Move], ends: dict[Move, Outcome], deepest: int) -> Found:
        """Search one decision deeper each time, the best move so far first."""
        budget, clock = self._budget, self._clock
        self._budget, self._clock = 1 << 62, None
        value = self._try_moves(moves, ends, 1)
        self._budget, self._clock = budget, clock
        depth = 1
        try:
            while depth < deepest and self._saw_horizon:
                value = self._try_moves(moves, ends, depth + 1)
                depth += 1
        except _EnoughSeen:
            pass
        return Found(value, depth, self._nodes, self._remembered_line(moves[0], depth))

    def _try_moves(self, moves: list[Move], ends: dict[Move, Outcome], depth: i64) -> i64:
        """The value of the best of the moves at hand, which is put first, even when there is no time for the others."""
        self._saw_horizon = False
        highest: i64 = _NOTHING
        for move in moves.copy():
            if move in ends:
                value = _worth(ends[move], self._line[0].to_move, 1)
            else:
                value = self._value_after(move, 0, depth, highest, -_NOTHING)
            if value > highest:
                highest = value
                moves.remove(move)
                moves.insert(0, move)
        return highest

    def _value_after(self, move: i64, ply: i64, depth: i64, low: i64, high: i64) -> i64:
        """What a move on the board of this ply is worth to who makes it."""
        rules = self._rules
        assert rules is not None
        board, after = self._line[ply], self._line[ply + 1]
        after.take(board)
        rules.advance(board, move, after)
        if after.to_move == board.to_move:
            return self._value(ply + 1, depth - 1, low, high)
        return -self._value(ply + 1, depth - 1, -high, -low)

    def _value(self, ply: i64, depth: i64, low: i64, high: i64) -> i64:
        """What the board of this ply is worth to its side to move: exact between low and high, else a bound."""
        self._count_node()
        board = self._line[ply]
        rules = self._rules
        assert rules is not None
        moves = rules.legal_moves(board)
        if not moves:
            return _worth(rules.outcome(board), board.to_move, ply)
        if depth <= 0 or ply == DEEPEST:
            return self._judged(board)
        return self._best_value(moves, ply, depth, low, high)

    def _best_value(self, moves: tuple[Move, ...], ply: i64, depth: i64, low: i64, high: i64) -> i64:
        memory = self._memory
        key = self._line[ply].key() if depth > 1 else FORGOTTEN
        slot = memory.slot_of(key)
        if slot >= 0:
            moves = _in_order(moves, memory.move_at(slot))
            if memory.depth_at(slot) == depth:
                value, kind = _from_board(memory.value_at(slot), ply), memory.kind_at(slot)
                if kind == EXACT or (kind == LEAST and value >= high) or (kind == MOST and value <= low):
                    self._saw_horizon = True
                    return value
        highest: i64 = _NOTHING
        chosen: i64 = 0
        for move in moves:
            value = self._value_after(move, ply, depth, low if low > highest else highest, high)
            if value > highest:
                highest, chosen = value, move
                if value >= high:
                    break
        kind = LEAST if highest >= high else EXACT if highest > low else MOST
        memory.note(key, depth, kind, _from_root(highest, ply), chosen)
        return highest

    def _judged(self, board: Board) -> i64:
        """What a board at the horizon is worth to its side to move."""
        self._saw_horizon = True
        rules = self._rules
        assert rules is not None
        if self._evaluate is None:
            return rules.lead(board)
        return self._evaluate(Position(rules, board.copy()))

    def _count_node(self) -> None:
        self._nodes += 1
        if self._nodes > self._budget:
            raise _EnoughSeen
        if (self._nodes & _NODES_A_LOOK) == 0 and self._clock is not None and self._clock() >= self._deadline:
            raise _EnoughSeen

    def _remembered_line(self, first: Move, depth: int) -> tuple[Move, ...]:
        rules = self._rules
        assert rules is not None
        line = [first]
        board = self._line[0].copy()
        while len(line) < depth:
            after = board.copy()
            rules.advance(board, line[-1], after)
            slot = self._memory.slot_of(after.key())
            if slot < 0 or self._memory.move_at(slot) not in rules.legal_moves(after):
                break
            line.append(self._memory.move_at(slot))
            board = after
        return tuple(line)


def _in_order(moves: tuple[Move, ...], first: Move) -> tuple[Move, ...]:
    """The moves, the one that was best before at the head."""
    return moves if first == moves[0] else (first, *[move for move in moves if move != first])


def _worth(outcome: Outcome, side: i64, ply: i64) -> i64:
    """What the end of a game is worth to a side: its points; a win is better soon, a loss late."""
    south, north = outcome.half_points
    lead: i64 = south - north
    value = -lead * HALF_POINT if side else lead * HALF_POINT
    return value - ply if value > 0 else value + ply if value < 0 else 0


def _from_root(value: i64, ply: i64) -> i64:
    """A value as it is remembered: the end of a game so far away as it is from the board itself, not from the root."""
    return value + ply if value > HALF_POINT // 2 else value - ply if value < -HALF_POINT // 2 else value


def _from_board(value: i64, ply: i64) -> i64:
    """A remembered value as it is here: the other way round."""
    return value - ply if value > HALF_POINT // 2 else value + ply if value < -HALF_POINT // 2 else value


def _ends_by_history(game: Game) -> dict[Move, Outcome]:
    """The outcomes of the moves that end the game."""
    ends: dict[Move, Outcome] = {}
    for move in game.legal_moves():
        after = game.copy()
        after.push(move)
        outcome = after.outcome()
        if outcome is not None:
            ends[move] = outcome
    return ends
