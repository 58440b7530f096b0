"""One game between two players: asks, charges the clock, pushes, and turns a bot's fault into a verdict."""

from collections.abc import Callable

from arena.errors import BotFault, BotIllegalMove, BotProtocol, IllegalMove
from arena.games import Game, Position, Rules
from arena.match.clock import Clock
from arena.match.format import Due, defaults_of
from arena.match.openings import draw_opening
from arena.match.player import Player
from arena.match.record_types import GameRecord, Verdict
from arena.match.scoring import by_seat, forfeit_points
from arena.match.time_control import TimeControl
from arena.match.turn import NO_TIME, Timing, TurnRecord

LONGEST_MESSAGE = 500


def verdict_on(seat: int, fault: BotFault, *, is_loading: bool = False) -> Verdict:
    """The verdict a fault gets; its message, which a bot may have had a hand in, becomes one clean line."""
    text = str(fault).encode("utf-8", "replace").decode()
    line = "".join(sign if sign.isprintable() else " " for sign in text)
    shown = line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 1] + "…"
    return Verdict(seat, fault.kind, shown, is_loading)


def forfeited(due: Due, verdict: Verdict, rules: Rules) -> GameRecord:
    """The record of a game that never began, because of this verdict."""
    points = forfeit_points(defaults_of(rules.name), verdict.seat)
    return GameRecord(due.south, (), (), verdict.kind, 1 - verdict.seat, points, verdict, ())


class GameUnderway:
    """A game being refereed.  `players` are by side; `asked` is the side whose bot is at work, hence at fault."""

    def __init__(self, rules: Rules, control: TimeControl, due: Due, players: tuple[Player, Player]) -> None:
        self.game = Game(rules)
        self.fault: BotFault | None = None
        self._clock = Clock(control)
        self._due = due
        self._players = players
        self._asked = 0
        self._begun: list[int] = []
        self._opening: tuple[int, ...] | None = None
        self._turns: list[TurnRecord] = []

    @property
    def _is_over(self) -> bool:
        return self.fault is not None or self.game.outcome() is not None

    @property
    def _seat_asked(self) -> int:
        """The seat of the bot that was asked last; when there is a fault, the one at fault."""
        return self._seat(self._asked)

    def _begin(self, seed: str, opening_plies: int) -> None:
        """Put the opening on the board and tell both bots that the game begins."""
        self._open_if_due(seed, opening_plies)
        try:
            for side, player in enumerate(self._players):
                self._asked = side
                player.new_game(side)
                self._begun.append(side)
        except BotFault as fault:
            self.fault = fault

    def play(self, seed: str, opening_plies: int, on_turn: Callable[[int, int], None], number: int) -> None:
        """Play to the end, with the opening where it belongs; `on_turn(number, ply)` is called before every turn."""
        self._begin(seed, opening_plies)
        while not self._is_over:
            on_turn(number, self.game.turns)
            self._play_turn()
            self._open_if_due(seed, opening_plies)

    def _open_if_due(self, seed: str, plies: int) -> None:
        """Make the turns of the opening, once, as soon as no set-up phase is going on."""
        if self._opening is None and not self._is_over and not self.game.rules.is_set_up(self.game.position):
            self._opening = draw_opening(self.game, seed, self._due, plies)
            for move in self._opening:
                self.game.push(move)

    def _play_turn(self) -> None:
        """Ask the side to move until its turn is done; a fault of its bot ends the game."""
        game, clock = self.game, self._clock
        side, ply, spent = game.position.to_move, game.turns, NO_TIME
        self._asked = side
        try:
            while game.turns == ply:
                reply = self._players[side].choose(game, clock.view(side), clock.limit_us(side))
                spent = reply.timing if spent is NO_TIME else spent.and_then(reply.timing)
                clock.charge(side, reply.timing.charged_us)
                self._push(reply.moves)
            clock.turn_done(side)
        except BotFault as fault:
            self.fault = fault
            if isinstance(fault.timing, Timing):
                spent = spent.and_then(fault.timing)
        if self.fault is None or spent != NO_TIME:
            self._turns.append(TurnRecord(self._seat(side), ply, spent))

    def _push(self, moves: tuple[int, ...]) -> None:
        """Make the moves of an answer, all of them or, when one is at fault, none."""
        if not moves:
            raise BotProtocol("the answer is an empty list; answer with at least one move")
        try:
            if len(moves) > 1:
                _check_answer(self.game.position, moves)
            for move in moves:
                self.game.push(move)
        except IllegalMove as error:
            raise BotIllegalMove(str(error)) from error

    def tell_result(self) -> list[int]:
        """Tell the bots that still listen how the game ended; the seats whose process has ended by then."""
        ended: list[int] = []
        for side in self._begun:
            if self.fault is not None and self.fault.process_ended and side == self._asked:
                continue
            try:
                self._players[side].game_over(self.game.outcome() if self.fault is None else None)
            except BotFault as fault:       # the game is decided: this costs nothing
                if fault.process_ended:
                    ended.append(self._seat(side))
        if self.fault is not None and self.fault.process_ended:
            ended.append(self._seat_asked)
        return ended

    def record(self) -> GameRecord:
        """What is kept of the game, now that it is over."""
        south, opening, turns = self._due.south, self._opening or (), tuple(self._turns)
        if self.fault is not None:
            verdict = verdict_on(self._seat_asked, self.fault)
            points = forfeit_points(defaults_of(self.game.rules.name), verdict.seat)
            return GameRecord(
                south, opening, self.game.moves, verdict.kind, 1 - verdict.seat, points, verdict, turns
            )
        outcome = self.game.outcome()
        if outcome is None:
            raise ValueError("the game still goes on")
        winner = None if outcome.winner is None else self._seat(outcome.winner)
        points = by_seat(outcome.points, south)
        return GameRecord(south, opening, self.game.moves, outcome.ending, winner, points, None, turns)

    def _seat(self, side: int) -> int:
        return self._due.south ^ side


def _check_answer(position: Position, moves: tuple[int, ...]) -> None:
    for number, move in enumerate(moves):
        if number and not position.is_mid_turn():
            raise BotIllegalMove(f"move {move} is left over: the turn was done after {number} of {len(moves)} moves")
        position = position.play(move)
