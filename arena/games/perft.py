"""Perft: how many sequences of turns there are; the engine's classic self-test."""

from collections.abc import Callable, Iterable, Iterator

from arena.games import four_row_text
from arena.games.position import Position


def turns(position: Position, at_least: int = 0) -> Iterator[Position]:
    """The positions after each turn that can be made from here, its first move being `at_least` this number.

    Where a turn's later moves may be made in any order, only the ascending one is.
    """
    for move in position.legal_moves():
        if move < at_least:
            continue
        after = position.play(move)
        if after.is_mid_turn() and after.outcome() is None:
            yield from turns(after, at_least=0 if position.rules.order_matters else move)
        else:
            yield after


def turns_with_default_bonus(position: Position) -> Iterator[Position]:
    """Nsolo: the positions after each sowing, the stones to strip chosen by the default bonus."""
    for move in position.legal_moves():
        after = position.play(move)
        for strip in four_row_text.default_bonus(after):
            after = after.play(strip)
        yield after


def perft(position: Position, depth: int, turns_of: Callable[[Position], Iterable[Position]] = turns) -> int:
    """The number of sequences of exactly `depth` turns from here; a finished game has none.

    Turns are counted, not moves: the decisions within a turn use up no depth.  Repetition and the limits on length are
    not looked at.
    """
    if depth == 0:
        return 1
    if depth == 1 and position.rules.moves_in_turn == 1:
        return len(position.legal_moves())
    return sum(perft(after, depth - 1, turns_of) for after in turns_of(position))
