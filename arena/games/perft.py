"""Perft: how many sequences of turns there are; the engine's classic self-test."""

from collections.abc import Iterator

from arena.games.position import Position


def perft(position: Position, depth: int) -> int:
    """The number of sequences of exactly `depth` turns from here; a finished game has none.

    Turns are counted, not moves: the decisions within a turn use up no depth.  Repetition and the limits on length are
    not looked at.
    """
    if depth == 0:
        return 1
    if depth == 1 and position.rules.moves_in_turn == 1:
        return len(position.legal_moves())
    return sum(perft(after, depth - 1) for after in turns(position))


def turns(position: Position) -> Iterator[Position]:
    """The positions after each turn that can be made from here."""
    for move in position.legal_moves():
        after = position.play(move)
        if after.is_mid_turn() and after.outcome() is None:
            yield from turns(after)
        else:
            yield after
