"""A game as the board in the browser takes it (static/board/film.js): compact, since it is all that a page loads.

`turns` are lists: side, notation, steps (arena/services/frames.py), microseconds charged or null, mark (0 played, 1 of
the opening, 2 of the set-up), and only where the steps do not lead there, the board that follows.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from arena.games import Position
from arena.services.examples import Example
from arena.services.frames import Turn, rows_of
from arena.services.practice import Practice
from arena.services.replays import Replay

PLAYED, OPENING, SET_UP = 0, 1, 2
MOST_BYTES = 60_000             # of turns in one answer; a longer game comes in several
_OVERHEAD = 20                  # bytes of a turn beside its texts, about


def of_replay(replay: Replay, first: int = 0) -> dict[str, Any]:
    """The game from ply `first` on; `next` is the ply to ask for then, null at the end."""
    last = _portion(replay.turns, first)
    return {
        **_board(replay.start),
        "players": [
            {"name": bot.name, "version": bot.version, "seat": side ^ replay.south}
            for side, bot in enumerate(replay.bots)
        ],
        "plies": len(replay.turns),
        "first": first,
        "next": last if last < len(replay.turns) else None,
        "turns": [_turn(turn, replay.opening, replay.charged_us) for turn in replay.turns[first:last]],
        "end": replay.end,
        "winner": replay.winner,
    }


def of_practice(practice: Practice) -> dict[str, Any]:
    """The whole game, what may be played now, and all moves, to be sent back with the next."""
    return {
        **_board(practice.start),
        "turns": [_turn(turn) for turn in practice.turns],
        "end": practice.end,
        "winner": practice.winner,
        "moves": list(practice.moves),
        "side": practice.position.to_move,
        "question": practice.question,
        "choices": [[choice.move, choice.pit, choice.text, choice.words] for choice in practice.choices],
    }


def of_example(example: Example) -> dict[str, Any]:
    """A worked example, with what is said of each position."""
    return {
        **_board(example.start),
        "turns": [_turn(turn) for turn in example.turns],
        "side": example.start.to_move,
        "notes": example.notes,
    }


def _board(start: Position) -> dict[str, Any]:
    rules = start.rules
    return {
        "ruleset": rules.ruleset,
        "title": rules.title,
        "rows": rows_of(rules),
        "has_stores": rules.has_stores,
        "pits": start.pits,
        "stores": start.stores,
    }


def _turn(turn: Turn, opening: Collection[int] = (), charged_us: Mapping[int, int] | None = None) -> list[Any]:
    text = turn.text if turn.is_done else f"{turn.text} …"
    mark = SET_UP if turn.is_set_up else OPENING if turn.ply in opening else PLAYED
    told: list[Any] = [turn.side, text, turn.steps, (charged_us or {}).get(turn.ply), mark]
    return [*told, [turn.after.pits, turn.after.stores]] if turn.is_put_back else told


def _portion(turns: Sequence[Turn], first: int) -> int:
    """The ply behind the last turn that still fits into an answer; at least one does."""
    weight = 0
    for ply in range(first, len(turns)):
        weight += len(turns[ply].steps) + len(turns[ply].text) + _OVERHEAD
        if weight > MOST_BYTES and ply > first:
            return ply
    return len(turns)
