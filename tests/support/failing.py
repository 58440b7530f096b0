"""Bots that do not play: matches in which one of the two forfeits every game, made without a process."""

from arena.errors import BotException, BotFault, BotTimeout
from arena.games import Game
from arena.match.player import MatchInfo
from arena.match.record import MatchPlayed, MatchSetup
from arena.match.referee import play_match
from arena.match.turn import ClockView, Reply, Timing
from arena.services import dispatch, results
from arena.store.session import Store
from tests.support.field import DicePlayer, Moment, Post

FAULTS: dict[str, type[BotFault]] = {"exception": BotException, "timeout": BotTimeout}


class FailingPlayer(DicePlayer):
    """Fails whenever it is asked for a move, or only in every other game."""

    def __init__(self, name: str, kind: str, always: bool) -> None:
        super().__init__(name)
        self._kind, self._always, self._games = kind, always, 0

    def new_game(self, side: int) -> None:
        self._games += 1

    def choose(self, game: Game, clock: ClockView, limit_us: int) -> Reply:
        if self._always or self._games % 2:
            raise FAULTS[self._kind]("it failed", timing=Timing(0, 0, 0, 0))
        return super().choose(game, clock, limit_us)


def play(setup: MatchSetup, failing: dict[str, str], always: bool = True) -> MatchPlayed:
    """The match; `failing` maps names of bots to the kinds of their faults."""

    def open_player(seat: int, info: MatchInfo, seed: bytes) -> DicePlayer:
        bot = setup.bots[seat]
        if bot.name in failing:
            return FailingPlayer(bot.name, failing[bot.name], always)
        return DicePlayer(f"{bot.name}/{bot.version}")

    return play_match(setup, open_player, lambda game, ply: None)


def play_out(store: Store, failing: dict[str, str], count: int = 10_000) -> int:
    """Play up to so many matches, one at a time, until nothing is due; how many were played."""
    for number in range(count):
        post = Post()
        dispatch.tick(store, post, Moment())
        ids = [match_id for batch in post.batches for match_id in batch]
        assignment = next(dispatch.claim_each(store, "w1", ids, Moment()), None)
        if assignment is None:
            return number
        dispatch.give_up_places(store, ids)
        results.ingest(store, assignment, play(assignment.setup, failing), 100, Moment())
    return count
