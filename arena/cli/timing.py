"""Where the time of a match went: "was it my bot, or your machine?"

A record holds four figures a turn, in microseconds: what the clock charged, wall time, the bot's CPU time, and how long
the bot was ready but the machine gave it no processor.  Wall time less the waiting is what is charged.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SLOWEST = 10        # turns shown


@dataclass(frozen=True, slots=True)
class TimedTurn:
    """One turn of a record; times in microseconds."""

    game: int
    ply: int
    seat: int
    charged: int
    wall: int
    cpu: int
    waited: int


def timed_turns(record: Mapping[str, Any]) -> Iterator[TimedTurn]:
    """Every turn of a record in JSON, in order of play; games and plies count from 1, as the texts do."""
    fields = record["turn_fields"]
    for number, game in enumerate(record["games"], 1):
        for row in game["turns"]:
            turn = dict(zip(fields, row, strict=True))
            yield TimedTurn(
                number, turn["ply"] + 1, turn["seat"],
                turn["charged_us"], turn["wall_us"], turn["cpu_us"], turn["waited_us"],
            )


def by_bot(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """For each seat: its turns, the longest charge, and the sums of all four figures, in milliseconds."""
    turns = list(timed_turns(record))
    return [_sums(bot["name"], [turn for turn in turns if turn.seat == seat])
            for seat, bot in enumerate(record["bots"])]


def slowest(record: Mapping[str, Any], most: int = SLOWEST) -> list[TimedTurn]:
    """The turns that were charged most, the longest first."""
    return sorted(timed_turns(record), key=lambda turn: -turn.charged)[:most]


def milliseconds(microseconds: int) -> str:
    """`12.3`."""
    return f"{microseconds / 1000:.1f}"


def _sums(name: str, turns: list[TimedTurn]) -> dict[str, Any]:
    return {
        "bot": name,
        "turns": len(turns),
        "longest_ms": max((turn.charged for turn in turns), default=0) / 1000,
        "charged_ms": sum(turn.charged for turn in turns) / 1000,
        "wall_ms": sum(turn.wall for turn in turns) / 1000,
        "cpu_ms": sum(turn.cpu for turn in turns) / 1000,
        "waited_ms": sum(turn.waited for turn in turns) / 1000,
    }
