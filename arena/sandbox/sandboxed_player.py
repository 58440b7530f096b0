"""A bot in its sandbox as the referee's `Player`."""

import json
from collections.abc import Callable

from arena.errors import BotFault, BotTimeout
from arena.games import Game, Outcome, notation
from arena.match.player import MatchInfo
from arena.match.turn import ClockView, Reply
from arena.sandbox.channel import ChildGone, WhileWaiting
from arena.sandbox.child_process import ChildProcess
from arena.sandbox.limits import GAME_OVER_US, LOAD_SECONDS, Limits
from arena.sandbox.replies import answer_in, expect_done, moves_in
from arena.sandbox.verdicts import fault_of

_encode = json.JSONEncoder(separators=(",", ":")).encode


class SandboxedPlayer:
    """Speaks the protocol with one child, which keeps its own game in step with the moves it is sent."""

    def __init__(
        self, child: ChildProcess, limits: Limits, while_waiting: WhileWaiting, on_close: Callable[[], None]
    ) -> None:
        self._child = child
        self._limits = limits
        self._while_waiting = while_waiting
        self._on_close = on_close
        self._seq = 0
        self._side = 0
        self._game: Game | None = None              # the referee's; the child knows the first `_sent` moves of it
        self._sent = 0
        self._is_closed = False
        self.load_ms = 0

    def load(self, package: bytes, info: MatchInfo, seed: bytes) -> None:
        """Send the bot's source, which until now was nowhere near the sandbox.  Raises: BotFault, ArenaFault."""
        match = {
            "ruleset": info.ruleset,
            "format": info.match_format,
            "time_control": str(info.time_control),
            "seat": info.seat,
        }
        self._seq += 1
        order = {"s": self._seq, "load": {"bytes": len(package), "seed": seed.hex(), "match": match}}
        try:
            line = _encode(order).encode() + b"\n" + package
            answer_in(self._answer(line, int(LOAD_SECONDS * 1e6)), self._seq, {"loaded"})
            if self._child.channel.timing is not None:
                self.load_ms = self._child.channel.timing.wall_us // 1000
        except BotTimeout as fault:
            late = BotTimeout(f"loading the bot took longer than the {LOAD_SECONDS:g} s it may", process_ended=True)
            raise self._completed(late) from fault
        except BotFault as fault:
            raise self._completed(fault) from fault.__cause__

    def new_game(self, side: int) -> None:
        """The child hears of it with its first turn, so what the bot does then is on its clock."""
        self._side = side
        self._game = None

    def choose(self, game: Game, clock: ClockView, limit_us: int) -> Reply:
        """Ask for a turn.  Its line is written without the general encoder: there are hundreds of these in a match."""
        self._seq = seq = self._seq + 1
        new = "" if game is self._game else f'"new":{_encode(self._begin(game))},'
        times = f"{_us(clock.turn_ms)},{_us(clock.bank_ms)},{_us(clock.last_charged_ms)}"
        line = f'{{"s":{seq},{new}"moves":[{self._news_of(game)}],"clock":[{times}]}}\n'
        try:
            moves = moves_in(self._answer(line.encode(), limit_us), seq)
        except BotFault as fault:
            raise self._completed(fault) from fault.__cause__
        return Reply(moves, self._child.channel.last_timing())

    def game_over(self, outcome: Outcome | None) -> None:
        if self._game is None:
            return                                  # the bot has not even heard of this game
        ending = "forfeit" if outcome is None else "rules"
        self._seq = seq = self._seq + 1
        line = f'{{"s":{seq},"over":"{ending}","moves":[{self._news_of(self._game)}]}}\n'
        try:
            expect_done(self._answer(line.encode(), GAME_OVER_US), seq)
        except BotFault as fault:
            raise self._completed(fault) from fault.__cause__

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._child.end()
            self._on_close()

    def log(self) -> str:
        self._child.channel.drain()
        return self._child.channel.log()

    def _begin(self, game: Game) -> tuple[int, str | None]:
        """What the child must know of a new game."""
        self._game, self._sent = game, 0
        return self._side, None if game.start == game.rules.initial() else notation.position_text(game.start)

    def _news_of(self, game: Game) -> str:
        """The moves that the child does not know yet, as they stand in a line."""
        moves = game.moves_since(self._sent)
        self._sent += len(moves)
        return ",".join([str(move) for move in moves])

    def _answer(self, line: bytes, limit_us: int) -> bytes:
        try:
            return self._child.channel.ask(line, limit_us, self._child.clock, self._while_waiting)
        except ChildGone:
            raise fault_of(self._child.ending(), self._limits.cpu_seconds) from None

    def _completed(self, fault: BotFault) -> BotFault:
        """The fault with its time; a bot that cannot go on is ended at once."""
        fault.timing = self._child.channel.timing
        if isinstance(fault, BotTimeout):
            self._child.ask_where()
        if fault.process_ended:
            self._child.end()
        fault.log = self.log()
        return fault


def _us(ms: float) -> int:
    """The nearest whole number of microseconds."""
    return int(ms * 1000 + 0.5)
