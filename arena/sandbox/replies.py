"""Judges one reply line, which may hold anything at all."""

import json

from arena.errors import BotIllegalMove, BotProtocol
from arena.sandbox.verdicts import fault_reported

_SHOWN = 60


def moves_in(line: bytes, seq: int) -> tuple[int, ...]:
    """The moves of an answer to request `seq`.  Raises: BotFault."""
    head = f'{{"s":{seq},"m":'.encode()
    if line.startswith(head) and line.endswith(b"}"):       # as our own program writes it
        digits = line[len(head) : -1]
        if digits.isdigit() and (len(digits) == 1 or not digits.startswith(b"0")):
            return (int(digits),)
    return _moves_of(answer_in(line, seq, {"m"}))


def expect_done(line: bytes, seq: int) -> None:
    """The answer to a request that only tells something.  Raises: BotFault, also a reported one."""
    if line != f'{{"s":{seq}}}'.encode():       # as our own program writes it
        answer_in(line, seq, set())


def answer_in(line: bytes, seq: int, keys: set[str]) -> dict[str, object]:
    """The object of a reply with exactly these keys besides its number.  Raises: BotFault, also a reported one."""
    answer = _decoded(line)
    if type(answer.get("s")) is not int or answer["s"] != seq:
        raise BotProtocol(f"the bot answered a request it was not asked: {_shown(line)}", process_ended=True)
    found = answer.keys() - {"s"}
    if found == {"fault", "text"}:
        raise fault_reported(answer["fault"], answer["text"])
    if found != keys:
        parts = ", ".join(sorted(keys))
        raise BotProtocol(f"the bot's answer has other parts than {parts}: {_shown(line)}", process_ended=True)
    return answer


def _moves_of(answer: dict[str, object]) -> tuple[int, ...]:
    moves = answer["m"]
    if moves == [] and type(moves) is list:
        raise BotProtocol("the bot answered with an empty list of moves")
    listed = moves if type(moves) is list else [moves]
    if not all(type(move) is int for move in listed):
        raise BotIllegalMove(f"a move is a whole number; the bot answered {_shown(json.dumps(moves).encode())}")
    return tuple(listed)


def _decoded(line: bytes) -> dict[str, object]:
    try:
        answer: object = json.loads(line.decode("utf-8"), object_pairs_hook=_without_twins)
    except (ValueError, RecursionError) as error:
        raise BotProtocol(f"the bot's answer is not JSON: {_shown(line)}", process_ended=True) from error
    if not isinstance(answer, dict):
        raise BotProtocol(f"the bot's answer is no JSON object: {_shown(line)}", process_ended=True)
    return answer


def _without_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key occurs twice")
    return dict(pairs)


def _shown(line: bytes) -> str:
    return repr(line[:_SHOWN])[1:] + ("…" if len(line) > _SHOWN else "")
