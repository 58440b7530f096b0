"""Turns, positions and boards as text.

A position is written `ruleset pits stores side`, with what else the game must know, and the moves of an unfinished
turn after a `+`:

    oware 4,4,0,5,5,5/5,4,4,4,4,4 0,0 N
    omweso 0,0,…/4,4,… 0,0 S turns=1,1 cap_turns=0,2 +8
"""

from arena.errors import InvalidNotation
from arena.games.board import Progress
from arena.games.options import shown
from arena.games.outcome import NORTH, SOUTH, Move, Side
from arena.games.position import Position
from arena.games.registry import load
from arena.games.rules import Rules

_SIDES = "SN"
_PARTS = 4                      # of a position's text, before the facts
_DIGITS = 9                     # longest number read


def turn_text(position: Position, moves: tuple[Move, ...]) -> str:
    """The moves of a turn as the game's players write them; `position` is where the turn begins."""
    return position.rules.turn_text(position, tuple(moves))


def parse_turn(position: Position, text: str) -> tuple[Move, ...]:
    """The moves that a turn's text stands for.  Raises: InvalidNotation; IllegalMove when well written but illegal."""
    return position.rules.parse_turn(position, text)


def position_text(position: Position) -> str:
    """The position on one line; `parse_position` reads it back."""
    start = position.turn_start
    parts = [
        position.rules.ruleset,
        "/".join(_numbers(start.pits_of(side)) for side in (SOUTH, NORTH)),
        _numbers(start.stores),
        _SIDES[start.to_move],
        *_facts_text(start),
    ]
    if position.ending:
        parts.append(f"ending={position.ending}")
    if position.turn_moves:
        parts.append("+" + _numbers(position.turn_moves))
    return " ".join(parts)


def parse_position(text: str) -> Position:
    """The position a line of text describes.

    Raises: InvalidNotation when it is no such line, InvalidPosition when the board cannot be, UnknownGame and
    UnknownOption for its ruleset.
    """
    parts = text.split()
    if len(parts) < _PARTS or parts[1].count("/") != 1 or parts[3] not in ("S", "N"):
        raise InvalidNotation(f"{shown(text)} is no position; write `ruleset pits/pits stores S|N`")
    rules = load(parts[0])
    south, north = (_parsed(half) for half in parts[1].split("/"))
    if len(south) != len(north):
        raise InvalidNotation(f"South has {len(south)} pits and North {len(north)}; both sides have as many")
    stores = _parsed(parts[2])
    facts, ending, moves = _rest(rules, parts[_PARTS:])
    position = rules.restore(south + north, stores, _SIDES.index(parts[3]), Progress(0, facts, ending))
    for move in moves:
        position = position.play(move)
    return position


def board(position: Position, *, is_numbered: bool = False) -> str:
    """The board as South sees it, every pit in its place, stores beside it; `>` marks the side to move.

    Args: is_numbered: with the numbers of the pits above North's rows and below South's.
    """
    rules = position.rules
    lines: list[str] = []
    numbers = tuple(range(rules.pits_a_side))
    for side in (NORTH, SOUTH):
        rows = _rows_as_seen(position.pits_of(side), rules.rows, side)
        for number, (row, pits) in enumerate(zip(rows, _rows_as_seen(numbers, rules.rows, side), strict=True)):
            first = number == 0
            drawn = [_line(_label(position, side) if first else "", row)
                     + (f"   {position.stores[side]}" if first else "")]
            if is_numbered:
                drawn.insert(0 if side == NORTH else 1, _line("    pits", pits))
            lines += drawn
    middle = len(lines) // 2
    lines.insert(middle, " " * 9 + "-" * (4 * (rules.pits_a_side // rules.rows)))
    if position.hand:
        lines.append(f"{'in hand':<9}{position.hand:>4}")
    return "\n".join(lines)


def _rows_as_seen(pits: tuple[int, ...], rows: int, side: Side) -> list[tuple[int, ...]]:
    """One side's rows from South's place, top to bottom, left to right.

    With one row a side the owner counts from his left; with two, the inner row from his right, then the outer one
    back from his left: one circuit.
    """
    if rows == 1:
        return [pits[::-1] if side == NORTH else pits]
    length = len(pits) // 2
    inner, outer = pits[:length], pits[length:]
    return [outer[::-1], inner] if side == NORTH else [inner[::-1], outer]


def _line(label: str, numbers: tuple[int, ...]) -> str:
    return f"{label:<9}" + "".join(f"{number:>4}" for number in numbers)


def _label(position: Position, side: Side) -> str:
    name = "North" if side == NORTH else "South"
    return f"> {name}" if side == position.to_move else f"  {name}"


def _numbers(numbers: tuple[int, ...]) -> str:
    return ",".join(str(number) for number in numbers)


def _parsed(text: str) -> tuple[int, ...]:
    numbers = text.split(",")
    for number in numbers:
        if not (number.isascii() and number.isdigit() and len(number) <= _DIGITS):
            raise InvalidNotation(f"{shown(number)} is not a whole number; write numbers with commas between them")
    return tuple(int(number) for number in numbers)


def _facts_text(position: Position) -> list[str]:
    parts: list[str] = []
    begin = 0
    for name, count in position.rules.facts:
        parts.append(f"{name}={_numbers(position.facts[begin:begin + count])}")
        begin += count
    return parts


def _rest(rules: Rules, parts: list[str]) -> tuple[tuple[int, ...], str, tuple[Move, ...]]:
    """What follows the side to move: facts in their order, then an ending, then the moves of an unfinished turn."""
    moves: tuple[Move, ...] = ()
    ending = ""
    if parts and parts[-1].startswith("+"):
        moves = _parsed(parts.pop()[1:])
    if parts and parts[-1].startswith("ending="):
        ending = parts.pop().removeprefix("ending=")
    facts: tuple[int, ...] = ()
    names = [name for name, _ in rules.facts]
    if [part.partition("=")[0] for part in parts] != names:
        wanted = " ".join(f"{name}=…" for name in names) or "nothing"
        raise InvalidNotation(f"after the side to move, {rules.name} wants {wanted}, not {shown(' '.join(parts))}")
    for part, (name, count) in zip(parts, rules.facts, strict=True):
        numbers = _parsed(part.partition("=")[2])
        if len(numbers) != count:
            raise InvalidNotation(f"{name} must be {count} numbers, not {len(numbers)}")
        facts += numbers
    return facts, ending, moves
