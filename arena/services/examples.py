"""The worked examples of the rules, opened up to be stepped through.  Pure.

An example is some lines (tests/games/test_rules_pages.py proves each true): a position, what is legal in it, a turn
played from it, how the game ended.
"""

from dataclasses import dataclass

from arena.games import Game, Position, notation
from arena.services import endings
from arena.services.frames import Turn, turns_of

SIDES = ("South", "North")


@dataclass(frozen=True, slots=True)
class Example:
    """`notes` are what is said of each position: of the start, and after every turn."""

    start: Position
    turns: tuple[Turn, ...]
    notes: tuple[str, ...]

    @property
    def positions(self) -> tuple[Position, ...]:
        """The start, and how the board lies after every turn."""
        return (self.start, *(turn.after for turn in self.turns))


def read(text: str) -> Example:
    """The example that such lines are."""
    first, *rest = text.strip().splitlines()
    start, legal = notation.parse_position(first), [""]
    game = Game(start.rules, start)
    for line in rest:
        word, _, said = line.partition(" ")
        if word == "play":
            for move in notation.parse_turn(game.position, said):
                game.push(move)
            legal.append("")
        elif word == "legal":
            legal[-1] = said
    notes = [_legal_words(said) for said in legal]
    if (outcome := game.outcome()) is not None:
        notes[-1] = endings.ending_words(game.rules, outcome, SIDES)
    return Example(start, tuple(turns_of(Game(start.rules, start), game.moves)), tuple(notes))


def _legal_words(said: str) -> str:
    moves = said.split()
    return f"Legal {'move' if len(moves) == 1 else 'moves'}: {', '.join(moves)}." if moves else ""
