"""Turns of Omweso and Nsolo as people write them: `8-+`, `9w`, `S4,4,…`; `14:3x1,10x1`, `pass`.

In mid-turn the text is what is left of the turn: `-+`, `S…` with the later pits, `:3x1`.
"""

from collections.abc import Iterator
from itertools import groupby

from arena.errors import IllegalMove, InvalidNotation
from arena.games.omweso_set_up import SET_UP
from arena.games.omweso_turn import CLOCKWISE, COUNTER_CLOCKWISE, OKWESERA
from arena.games.options import shown
from arena.games.outcome import Move, opponent_of
from arena.games.position import Position

PASS = "pass"
_DIRECTIONS = {"+": COUNTER_CLOCKWISE, "-": CLOCKWISE}
_SIGNS = {COUNTER_CLOCKWISE: "+", CLOCKWISE: "-"}
_OMWESO_FORMS = "write a pit and the directions asked for, as in 12 or 8-+, a pit and w, or S and the seeds of each pit"
_NSOLO_FORMS = "write a pit, with the stones to strip as in 14:3x1,10x1, or pass"


def omweso_turn_text(position: Position, moves: tuple[Move, ...]) -> str:
    """The turn, or its moves so far.  Raises: IllegalMove, InvalidNotation."""
    _played(position, moves)
    if moves[0] >= SET_UP:
        return "S" + ",".join(str(move - SET_UP) for move in moves)
    if OKWESERA <= moves[0] < COUNTER_CLOCKWISE:
        return f"{moves[0] - OKWESERA}w"
    return "".join(_SIGNS.get(move, str(move)) for move in moves)


def parse_omweso_turn(position: Position, text: str) -> tuple[Move, ...]:
    """The moves of a whole turn.  Raises: InvalidNotation; IllegalMove also when directions are missing or too many."""
    word = text.strip()
    moves: tuple[Move, ...]
    if word.startswith("S"):
        moves = tuple(SET_UP + _number(seeds, text, _OMWESO_FORMS) for seeds in word[1:].split(","))
    elif word.endswith("w"):
        moves = (OKWESERA + _pit(word[:-1], position, text, _OMWESO_FORMS),)
    else:
        pit = word.rstrip("+-")
        directions = tuple(_DIRECTIONS[sign] for sign in word[len(pit):])
        starts = () if not pit and position.turn_moves else (_pit(pit, position, text, _OMWESO_FORMS),)
        moves = starts + directions
    return _whole_turn(position, moves, text)


def nsolo_turn_text(position: Position, moves: tuple[Move, ...]) -> str:
    """The turn, or its moves so far, the stones stripped counted pit by pit.  Raises: IllegalMove, InvalidNotation."""
    _played(position, moves)
    pits = position.rules.pits_a_side
    if moves[0] == 2 * pits:
        return PASS
    sown = str(moves[0]) if moves[0] < pits else ""
    stripped = sorted(move - pits for move in moves if move >= pits)
    bonus = ",".join(f"{pit}x{len(list(stones))}" for pit, stones in groupby(stripped))
    return f"{sown}:{bonus}" if bonus else sown


def parse_nsolo_turn(position: Position, text: str) -> tuple[Move, ...]:
    """The moves of a whole turn.  Where the stones to strip are left out, the default bonus is taken [N5].

    Raises: InvalidNotation; IllegalMove also when the stones are not exactly as many as must go.
    """
    word = text.strip()
    pits = position.rules.pits_a_side
    if word == PASS:
        return _whole_turn(position, (2 * pits,), text)
    pit_text, colon, bonus = word.partition(":")
    if colon and not pit_text and position.is_mid_turn():
        return _whole_turn(position, tuple(_stripped(bonus, position, text)), text)
    pit = _pit(pit_text, position, text, _NSOLO_FORMS)
    if colon:
        return _whole_turn(position, (pit, *_stripped(bonus, position, text)), text)
    after = position.play(pit)
    return (pit, *default_bonus(after)) if after.is_mid_turn() else (pit,)


def default_bonus(position: Position) -> tuple[Move, ...]:
    """Strip moves that empty the fullest pits first, the lower number first among equals [N5]."""
    theirs = position.pits_of(opponent_of(position.to_move))
    fullest_first = sorted(range(len(theirs)), key=lambda pit: (-theirs[pit], pit))
    stones = [len(theirs) + pit for pit in fullest_first for _ in range(theirs[pit])]
    return tuple(stones[:position.facts[0]])


def _stripped(bonus: str, position: Position, text: str) -> Iterator[Move]:
    """The strip moves of `3x1,10x1`: pits ascend, each with a count of stones."""
    last = -1
    for part in bonus.split(","):
        pit_text, _, count_text = part.partition("x")
        pit = _pit(pit_text, position, text, _NSOLO_FORMS)
        count = _number(count_text, text, _NSOLO_FORMS)
        if pit <= last or count == 0:
            raise InvalidNotation(f"{shown(text)}: the pits to strip must ascend, each with a count from 1 up")
        last = pit
        yield from [position.rules.pits_a_side + pit] * count


def _played(position: Position, moves: tuple[Move, ...]) -> Position:
    """The position after these moves of one turn.  Raises: IllegalMove, InvalidNotation when there are none."""
    if not moves:
        raise InvalidNotation("a turn has at least one move")
    for number, move in enumerate(moves):
        if number and not position.is_mid_turn():
            raise IllegalMove(f"move {shown(move)} is one too many: the turn is over after {number}")
        position = position.play(move)
    return position


def _whole_turn(position: Position, moves: tuple[Move, ...], text: str) -> tuple[Move, ...]:
    """The moves, checked to be one complete turn.  Raises: IllegalMove."""
    if _played(position, moves).is_mid_turn():
        raise IllegalMove(f"{shown(text)} is not the whole turn: more is asked for (a direction, or stones to strip)")
    return moves


def _pit(text: str, position: Position, whole: str, forms: str) -> int:
    pit = _number(text, whole, forms)
    if pit >= position.rules.pits_a_side:
        last = position.rules.pits_a_side - 1
        raise InvalidNotation(f"{shown(whole)}: pits are numbered 0 to {last}")
    return pit


def _number(text: str, whole: str, forms: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise InvalidNotation(f"{shown(whole)} is no turn here; {forms}")
    return int(text)
