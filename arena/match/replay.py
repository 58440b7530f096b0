"""Believes no record: plays it through the same pure rules and says where it claims something else.

What a record alone can show is checked in full: terms, openings, every move, endings, points, clocks, when the match
was decided and for whom.  Whether a bot really committed the fault of a verdict cannot be seen from here; of a
forfeit the form is checked.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from arena import games
from arena.errors import ArenaError, RecordRefused
from arena.games import Game
from arena.match.clock import Clock
from arena.match.format import Due, GameResult, defaults_of, due, is_decided, parse_format
from arena.match.openings import check_opening_plies, draw_opening, is_seed
from arena.match.points import Points, points_text
from arena.match.record_types import VERDICT_KINDS, GameRecord, MatchRecord, Verdict
from arena.match.scoring import by_seat, forfeit_points, result_of, score_of
from arena.match.time_control import parse_time_control
from arena.match.turn import TurnRecord


def replay(record: MatchRecord) -> None:
    """Raises: RecordRefused, naming the game, the turn and both what is claimed and what is so."""
    with _located("terms"):
        _check_terms(record)
    form = parse_format(record.match_format)
    defaults = defaults_of(games.load(record.ruleset).name)
    results: list[GameResult] = []
    for number, game in enumerate(record.games, start=1):
        with _located(f"game {number}"):
            _refuse_if(is_decided(form, results), "the match was decided before it")
            _GameReplay(record, game, due(results)).check()
            results.append(result_of(game, defaults))
    with _located("match"):
        _refuse_if(not is_decided(form, results), f"it is not decided after {len(results)} games")
        score = score_of(form, results)
        _expect("score", record.score, score.match)
        _expect("points", _texts(record.points), _texts(score.points))
        _expect("winner", record.winner, score.winner)


def _check_terms(record: MatchRecord) -> None:
    _expect("ruleset", record.ruleset, games.load(record.ruleset).ruleset)
    _expect("match format", record.match_format, parse_format(record.match_format).name)
    _expect("time control", record.time_control, str(parse_time_control(record.time_control)))
    _refuse_if(not is_seed(record.seed), f"the seed is 64 hex digits, not {record.seed[:80]!r}")
    check_opening_plies(record.opening_plies)
    _refuse_if(len(record.bots) != 2, f"a match has two bots, not {len(record.bots)}")


class _GameReplay:
    """One game of a record, and the same game as the rules play it."""

    def __init__(self, record: MatchRecord, claimed: GameRecord, due_game: Due) -> None:
        rules = games.load(record.ruleset)
        self.record, self.claimed, self.due = record, claimed, due_game
        self.defaults = defaults_of(rules.name)
        self.game = Game(rules)
        self.clock = Clock(parse_time_control(record.time_control))
        self.is_opened = False
        self.done = 0                           # moves played so far
        self.bot_moves = 0                      # those among them that no opening made
        self.timed = 0                          # turns whose time was accounted for

    def check(self) -> None:
        _expect("south", self.claimed.south, self.due.south)
        verdict = self.claimed.verdict
        if verdict is not None and verdict.is_loading:
            _refuse_if(bool(self.claimed.moves or self.claimed.opening or self.claimed.turns),
                       "a bot could not be loaded, so nothing was played")
            self._check_verdict(verdict)
            return
        self._play_moves()
        if verdict is None:
            self._check_no_time_is_left()
            self._check_outcome()
        else:
            _refuse_if(self.game.outcome() is not None, "it is forfeited, but had ended by the rules")
            self._check_verdict(verdict)
            self._check_last_time(verdict)

    def _play_moves(self) -> None:
        """Every move in turn, with the opening where it belongs."""
        self._open_if_due()
        moves = self.claimed.moves
        while self.done < len(moves):
            ply = self.game.turns
            try:
                self._play_turn(ply)
            except ArenaError as error:
                raise RecordRefused(f"turn {ply + 1}: {error}") from error
            if not self.is_opened:
                self._open_if_due()
        _refuse_if(not self.is_opened and bool(self.claimed.opening), "it has an opening before the set-up is done")

    def _play_turn(self, ply: int) -> None:
        """The next turn of a bot; that of a forfeited game may break off."""
        game, moves, done = self.game, self.claimed.moves, self.done
        side = game.position.to_move
        while game.turns == ply and done < len(moves):
            game.push(moves[done])
            done += 1
        self.bot_moves += done - self.done
        self.done = done
        if game.turns != ply:
            self._check_time(ply, side)

    def _open_if_due(self) -> None:
        if self.is_opened or self.game.outcome() is not None or self.game.rules.is_set_up(self.game.position):
            return
        self.is_opened = True
        opening = draw_opening(self.game, self.record.seed, self.due, self.record.opening_plies)
        _expect("opening", self.claimed.opening, opening)
        _expect("moves of the opening", self.claimed.moves[self.done : self.done + len(opening)], opening)
        for move in opening:
            self.game.push(move)
        self.done += len(opening)

    def _check_time(self, ply: int, side: int) -> None:
        """A complete turn of a bot has its time, and the clock allowed it."""
        if self.timed == len(self.claimed.turns):
            raise RecordRefused("its time is missing")
        turn = self.claimed.turns[self.timed]
        self.timed += 1
        if turn.ply != ply or turn.seat != self._seat(side):
            _expect("seat and ply of its time", (turn.seat, turn.ply), (self._seat(side), ply))
        _check_not_negative(turn)
        self.clock.charge(side, turn.timing.charged_us)
        self.clock.turn_done(side)

    def _check_last_time(self, verdict: Verdict) -> None:
        """The turn in which a bot was at fault may have its time, too."""
        if self.timed < len(self.claimed.turns):
            turn = self.claimed.turns[self.timed]
            self.timed += 1
            _expect("seat and ply of the last time", (turn.seat, turn.ply), (verdict.seat, self.game.turns))
            _check_not_negative(turn)
        self._check_no_time_is_left()

    def _check_no_time_is_left(self) -> None:
        more = len(self.claimed.turns) - self.timed
        _refuse_if(more > 0, f"there is time for {more} turns more than were played")

    def _check_outcome(self) -> None:
        outcome = self.game.outcome()
        if outcome is None:
            raise RecordRefused(f"it is not over after its {self.done} moves")
        _expect("ending", self.claimed.ending, outcome.ending)
        _expect("winner", self.claimed.winner, None if outcome.winner is None else self._seat(outcome.winner))
        _expect("points", _texts(self.claimed.points), _texts(by_seat(outcome.points, self.due.south)))

    def _check_verdict(self, verdict: Verdict) -> None:
        _refuse_if(verdict.seat not in (0, 1), f"there is no seat {verdict.seat}")
        _refuse_if(verdict.kind not in VERDICT_KINDS, f"no verdict is called {verdict.kind[:40]!r}")
        _refuse_if(verdict.kind == "load" and not verdict.is_loading, "a bot that plays has been loaded")
        if self.bot_moves:      # before that a bot may have failed when the game was announced to it
            _expect("seat at fault", verdict.seat, self._seat(self.game.position.to_move))
        _expect("ending", self.claimed.ending, verdict.kind)
        _expect("winner", self.claimed.winner, 1 - verdict.seat)
        _expect("points", _texts(self.claimed.points), _texts(forfeit_points(self.defaults, verdict.seat)))

    def _seat(self, side: int) -> int:
        return self.due.south if side == 0 else 1 - self.due.south


def _check_not_negative(turn: TurnRecord) -> None:
    timing = turn.timing
    if min(timing.charged_us, timing.wall_us, timing.cpu_us, timing.waited_us) < 0:
        raise RecordRefused(f"negative time: {timing}")


def _expect(what: str, claimed: object, actual: object) -> None:
    if claimed != actual:
        raise RecordRefused(f"{what}: {_shown(claimed)} is claimed, it is {_shown(actual)}")


def _texts(points: Points) -> tuple[str, ...]:
    return tuple(points_text(each) for each in points)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:199] + "…"


def _refuse_if(condition: bool, reason: str) -> None:
    if condition:
        raise RecordRefused(reason)


@contextmanager
def _located(where: str) -> Iterator[None]:
    """Whatever the rules refuse in here, the record is refused, and the message begins with the place."""
    try:
        yield
    except ArenaError as error:
        raise RecordRefused(f"{where}: {error}") from error
