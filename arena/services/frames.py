"""A game turn by turn, with all that is seen of every move, for a viewer that knows no rules.  Pure.

What is seen is the engine's own trace, written short because a page carries a whole game:

    L5           lift all seeds of pit 5 into the hand
    6   6-9      drop a seed into pit 6; into each of 6, 7, 8, 9 (a run may go down, too: 9-6)
    T3           take all seeds of pit 3 into the hand, to be sown
    S3  N3       capture all seeds of pit 3 for South's or North's store; without a number, all in the hand
    s3  n3       strip one seed off pit 3 for South's or North's store
    |            the next decision of the same turn

Pits count as in `Position.pits`.  After the words of a turn its board lies as `after` says, but where a sowing that
never ends put all back (`is_put_back`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arena.games import HAND, Game, Move, Position, Rules, Side, Step, notation

_TAKERS = "SN"                  # by side; small for a single seed


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: `ply` counts from 0, `text` is its notation, `steps` what is seen of it.

    `is_done`: False for the last turn of a game that broke off within it.  `is_set_up`: seeds are being arranged.
    """

    ply: int
    before: Position
    moves: tuple[Move, ...]
    text: str
    steps: str
    after: Position
    is_done: bool
    is_set_up: bool

    @property
    def side(self) -> Side:
        return self.before.to_move

    @property
    def is_put_back(self) -> bool:
        """Whether the board lies as before the turn, whatever was seen."""
        return bool(self.steps.strip("|")) and self.after.pits == self.before.pits


def turns_of(game: Game, moves: Iterable[Move]) -> Iterator[Turn]:
    """Play these moves on the game and tell them turn by turn.  Raises: IllegalMove."""
    rules, ply, before = game.rules, game.turns, game.position
    made: list[Move] = []
    steps: list[str] = []

    def turn() -> Turn:
        return Turn(ply, before, tuple(made), notation.turn_text(before, tuple(made)), "|".join(steps),
                    game.position, game.turns != ply, rules.is_set_up(before))

    for move in moves:
        here, seen = game.position, game.position.trace(move)
        game.push(move)
        made.append(move)
        steps.append(" ".join(_words(seen, are_sown_again=game.position.stores == here.stores)))
        if game.turns != ply:
            yield turn()
            ply, before = game.turns, game.position
            made, steps = [], []
    if made:
        yield turn()


def rows_of(rules: Rules) -> tuple[tuple[int, ...], ...]:
    """Where the pits lie as South sees the board: rows from the top, each from left to right.

    With one row a side the owner counts from his left; with two, the inner row from his right and then the outer one
    back: one circuit (docs/rules).
    """
    here = tuple(range(rules.pits_a_side))
    there = tuple(rules.pits_a_side + pit for pit in here)
    if rules.rows == 1:
        return there[::-1], here
    columns = rules.pits_a_side // 2
    return there[:columns - 1:-1], there[:columns], here[columns - 1::-1], here[columns:]


def _words(steps: Iterable[Step], *, are_sown_again: bool) -> Iterator[str]:
    """The steps of a move; drops into neighbouring pits are one word.  `are_sown_again`: the seeds it captures."""
    run: list[int] = []
    for step in steps:
        if step.kind == "drop" and _continues(run, step.pit):
            run.append(step.pit)
            continue
        yield from _run_word(run)
        run = [step.pit] if step.kind == "drop" else []
        if step.kind != "drop":
            yield _word(step, are_sown_again=are_sown_again)
    yield from _run_word(run)


def _continues(run: list[int], pit: int) -> bool:
    if not run:
        return True
    way = pit - run[-1]
    return abs(way) == 1 and (len(run) == 1 or way == run[-1] - run[-2])


def _run_word(run: list[int]) -> Iterator[str]:
    if run:
        yield str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}"


def _word(step: Step, *, are_sown_again: bool) -> str:
    pit = "" if step.pit == HAND else str(step.pit)
    if step.kind == "lift":
        return f"L{pit}"
    if step.kind == "strip":
        return f"{_TAKERS[step.side].lower()}{pit}"
    return f"T{pit}" if are_sown_again else f"{_TAKERS[step.side]}{pit}"
