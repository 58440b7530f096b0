"""One game of a finished match, to be watched: its turns, whose they are, how long they took, how it ended."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arena import games
from arena.errors import NotFound
from arena.games import Game, Outcome, Position, Rules, Side
from arena.match.record_types import BotRef, GameRecord, MatchRecord
from arena.services import endings, matches
from arena.services.frames import Turn, turns_of
from arena.store.session import Store


@dataclass(frozen=True, slots=True)
class Replay:
    """`bots` are South's and North's, `south` is the seat of the first; `winner` is a side.

    `number` counts from 1 to `games`.  `opening` are the plies that the arena drew, `charged_us` the time of the
    turns that have one.  `end` is a sentence.
    """

    number: int
    games: int
    rules: Rules
    bots: tuple[BotRef, BotRef]
    south: int
    turns: tuple[Turn, ...]
    opening: frozenset[int]
    charged_us: Mapping[int, int]
    end: str
    winner: Side | None
    record: GameRecord

    @property
    def start(self) -> Position:
        return self.rules.initial()

    def board(self, ply: int) -> Position:
        """The position after so many turns; the last one for any larger number."""
        if not self.turns or ply <= 0:
            return self.start
        return self.turns[min(ply, len(self.turns)) - 1].after


def replay(store: Store, match_id: int, number: int) -> Replay:
    """One game of a match, counted from 1.  Raises: NotFound, Conflict while there is no record."""
    record = matches.record(store, match_id)
    if not 1 <= number <= len(record.games):
        raise NotFound(f"Match {match_id} has no game {number}; it has {len(record.games)}.", field="number")
    return replay_of(record, number)


def replay_of(match: MatchRecord, number: int) -> Replay:
    """The replay of one game of a record; pure."""
    rules, game = games.load(match.ruleset), match.games[number - 1]
    played = Game(rules)
    turns = tuple(turns_of(played, game.moves))
    first, second = match.bots
    bots = (first, second) if game.south == 0 else (second, first)
    return Replay(
        number=number,
        games=len(match.games),
        rules=rules,
        bots=bots,
        south=game.south,
        turns=turns,
        opening=_opening_plies(turns, len(game.opening)),
        charged_us={turn.ply: turn.timing.charged_us for turn in game.turns},
        end=_end(game, played.outcome(), (bots[0].name, bots[1].name), rules),
        winner=None if game.winner is None else int(game.winner != game.south),
        record=game,
    )


def _end(game: GameRecord, outcome: Outcome | None, names: tuple[str, str], rules: Rules) -> str:
    if game.verdict is not None:
        loser = game.verdict.seat ^ game.south
        return endings.forfeit_words(game.verdict.kind, names[loser], names[1 - loser])
    assert outcome is not None                  # a record without verdict was replayed to its end when it came in
    return endings.ending_words(rules, outcome, names)


def _opening_plies(turns: Iterable[Turn], moves: int) -> frozenset[int]:
    """The plies of the opening, which has so many moves and follows a set-up phase, if there is one."""
    plies: set[int] = set()
    for turn in turns:
        if moves > 0 and not turn.is_set_up:
            plies.add(turn.ply)
            moves -= len(turn.moves)
    return frozenset(plies)
