"""A board to play on: what is legal, what a move leads to, and what a sample bot answers.  Nothing is stored.

The caller keeps the game: a ruleset, where it starts, and all moves made; every call plays them through again, so that
repetition and limits end a game here as they do in a match.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena import games
from arena.errors import Invalid
from arena.games import Game, Move, Position, Rules, Side, notation
from arena.services import endings
from arena.services.frames import Turn, turns_of
from arena.services.samples import Sample

MOST_MOVES = 800                # of a game here; they travel in an address
MOST_SEEDS = 64                 # on a board given by hand, where the game itself begins with fewer
SIDES = ("South", "North")
_WORDS = {"+": "counter-clockwise", "-": "clockwise", "pass": "pass"}


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move: the pit to point at, None where there is none, its notation, and what it is in words."""

    move: Move
    pit: int | None
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Practice:
    """A game as it stands; `end` is a sentence, "" while it goes on.

    `question` is what else than a pit is asked for, "" where a pit is.
    """

    rules: Rules
    start: Position
    moves: tuple[Move, ...]
    turns: tuple[Turn, ...]
    position: Position
    choices: tuple[Choice, ...]
    question: str
    end: str
    winner: Side | None


def practise(
    ruleset: str, start: str | None, moves: Sequence[Move], bot: str | None = None, bot_side: Side | None = None
) -> Practice:
    """Play these moves and, where it is the sample bot's turn, what it answers.

    `start` is a position as `notation` writes it, None the game's own.
    Raises: IllegalMove, NotFound for the bot, what `games.load` and `notation.parse_position` raise, and Invalid when
    the game is too long or the board too full to be worked out here.
    """
    rules = games.load(ruleset)
    first = rules.initial() if start is None else _read(rules, start)
    if len(moves) > MOST_MOVES:
        raise Invalid(f"A game here has at most {MOST_MOVES} moves, not {len(moves)}; start anew.", field="moves")
    game = Game(rules, first)
    for move in moves:
        game.push(move)
    if bot is not None:
        _let_play(Sample(bot), game, bot_side)
    outcome = game.outcome()
    return Practice(
        rules=rules,
        start=first,
        moves=game.moves,
        turns=tuple(turns_of(Game(rules, first), game.moves)),
        position=game.position,
        choices=tuple(_choices(game.position, game.legal_moves())),
        question=_question(game),
        end="" if outcome is None else endings.ending_words(rules, outcome, SIDES),
        winner=None if outcome is None else outcome.winner,
    )


def _read(rules: Rules, text: str) -> Position:
    """The position of a text, if it is one of these rules and of a size that can be played out in no time."""
    position = notation.parse_position(text)
    if position.rules != rules:
        raise Invalid(f"The position is one of {position.rules.ruleset}, not of {rules.ruleset}.", field="start")
    seeds, most = _seeds(position), max(MOST_SEEDS, _seeds(rules.initial()))
    if seeds > most:
        raise Invalid(f"A board of {rules.ruleset} holds at most {most} seeds here, not {seeds}.", field="start")
    return position.turn_start


def _seeds(position: Position) -> int:
    return sum(position.pits) + sum(position.stores) + position.hand


def _let_play(sample: Sample, game: Game, side: Side | None) -> None:
    while game.outcome() is None and game.position.to_move == side and len(game.moves) < MOST_MOVES:
        game.push(sample.choose(game.position))


def _choices(position: Position, legal: Iterable[Move]) -> Iterable[Choice]:
    for move in legal:
        steps = position.trace(move)
        points_at_pit = bool(steps) and steps[0].kind in ("lift", "strip")
        text = notation.turn_text(position, (move,))
        yield Choice(move, steps[0].pit if points_at_pit else None, text, _in_words(text))


def _in_words(text: str) -> str:
    """What the notation of one decision says: a pit to sow, to lay out or to strip, seeds to put, or a word."""
    if text in _WORDS:
        return _WORDS[text]
    if text.startswith("S"):
        return text[1:]
    if text.startswith(":"):
        return f"take a stone from pit {text[1:].partition('x')[0]}"
    if text.endswith("w"):
        return f"lay out pit {text[:-1]}, two and one"
    return f"sow pit {text}"


def _question(game: Game) -> str:
    position = game.position
    if game.outcome() is not None:
        return ""
    if game.rules.is_set_up(position):
        return f"How many seeds for pit {len(position.turn_moves)}?"
    if position.hand:
        return f"Which way with the {position.hand} seeds in hand?"
    return "Take a stone." if position.is_mid_turn() else ""
