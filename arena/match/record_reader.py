"""Reads the text form of a match record, which `record_text` writes."""

import json
import re
from collections.abc import Sequence
from typing import Any

from arena import games
from arena.errors import ArenaError, RecordRefused
from arena.games import Game, notation
from arena.match.record_json import SCHEMA, TURN_FIELDS, from_json
from arena.match.record_text import SEATS, SIDES
from arena.match.record_types import MatchRecord

_TAG = re.compile(r"\[(\w+)(?: (.*))?\]")
_MS = r"(\d{1,12}\.\d{3})"
_TIME = rf" \{{{_MS} ms, wall {_MS}, cpu {_MS}, waited {_MS}\}}"
_TURN = re.compile(rf"(\d{{1,6}})\. ([SN])(?: ([^ {{][^{{]*?))?(?:{_TIME})?", re.ASCII)


def from_text(text: str) -> MatchRecord:
    """The record that `to_text` wrote.  Raises: RecordRefused; whether it is true is for `replay` to say."""
    head, *blocks = text.rstrip("\n").split("\n\n")
    tags = _Tags(head.split("\n"), "record")
    ruleset = tags.one("Ruleset")
    return from_json(
        {
            "record": SCHEMA,
            "engine_version": tags.one("Engine"),
            "isolation": tags.one("Isolation"),
            "ruleset": ruleset,
            "format": tags.one("Format"),
            "time_control": tags.one("TimeControl"),
            "seed": tags.one("Seed"),
            "opening_plies": tags.one("OpeningPlies"),
            "bots": [_bot(tags.of(name)) for name in ("First", "Second")],
            "score": tags.of("Score"),
            "points": tags.of("Points"),
            "winner": tags.seat("Winner"),
            "turn_fields": list(TURN_FIELDS),
            "games": [_game(block.split("\n"), ruleset, number) for number, block in enumerate(blocks, start=1)],
        }
    )


class _Tags:
    """The tags that stand first in a block, by name."""

    def __init__(self, lines: Sequence[str], place: str) -> None:
        self.place = place
        self.values: dict[str, list[Any]] = {}
        for line in lines:
            found = _TAG.fullmatch(line)
            if found is None:
                break
            try:
                self.values[found[1]] = json.loads(f"[{found[2] or ''}]")
            except (ValueError, RecursionError) as error:
                raise RecordRefused(f"{place}: cannot read the tag {line[:80]!r}") from error

    def of(self, name: str) -> list[Any]:
        if name not in self.values:
            raise RecordRefused(f"{self.place}: the tag {name} is missing")
        return self.values[name]

    def one(self, name: str) -> Any:
        values = self.of(name)
        if len(values) != 1:
            raise RecordRefused(f"{self.place}: the tag {name} has one value, not {len(values)}")
        return values[0]

    def seat(self, name: str) -> int | None:
        return _seat(self.one(name), f"{self.place}: the tag {name}")


def _seat(word: object, place: str) -> int | None:
    for seat, name in SEATS.items():
        if word == name:
            return seat
    raise RecordRefused(f"{place} says {', '.join(SEATS.values())}, not {str(word)[:40]!r}")


def _bot(values: list[Any]) -> dict[str, Any]:
    return dict(zip(("name", "version", "content_hash"), values, strict=False))


def _game(lines: Sequence[str], ruleset: str, number: int) -> dict[str, Any]:
    place = f"game {number}"
    tags = _Tags(lines, place)
    south = tags.seat("South")
    moves, turns = _turns(lines[len(tags.values) :], ruleset, south, place)
    return {
        "south": south,
        "opening": tags.of("Opening"),
        "moves": moves,
        "ending": tags.one("Ending"),
        "winner": tags.seat("Winner"),
        "points": tags.of("Points"),
        "verdict": _verdict(tags, place) if "Verdict" in tags.values else None,
        "turns": turns,
    }


def _verdict(tags: _Tags, place: str) -> dict[str, Any]:
    values = tags.of("Verdict")
    if len(values) != 3 or values[2] not in ("loading", "playing"):
        raise RecordRefused(f"{place}: the tag Verdict has a seat, a kind, and loading or playing")
    seat, kind, when = values
    return {"seat": _seat(seat, place), "kind": kind, "is_loading": when == "loading"}


def _turns(lines: Sequence[str], ruleset: str, south: int | None, place: str) -> tuple[list[int], list[list[int]]]:
    """The moves of the lines, and the time of those turns that have one; a turn is read where the game stands."""
    try:
        game = Game(games.load(ruleset))
    except ArenaError as error:
        raise RecordRefused(f"record: {error}") from error
    turns: list[list[int]] = []
    for line in lines:
        found = _TURN.fullmatch(line)
        if found is None or int(found[1]) != game.turns + 1:
            raise RecordRefused(f"{place}: turn {game.turns + 1} is expected, not {line[:80]!r}")
        try:
            for move in _moves(game, found[3] or "+"):
                game.push(move)
        except ArenaError as error:
            raise RecordRefused(f"{place}, turn {found[1]}: {error}") from error
        if found[4]:
            seat = south if found[2] == SIDES[0] else 1 - (south or 0)
            turns.append([seat or 0, int(found[1]) - 1, *(int(ms.replace(".", "")) for ms in found.groups()[3:])])
    return list(game.moves), turns


def _moves(game: Game, text: str) -> tuple[int, ...]:
    if text.startswith("+"):
        return tuple(int(word) for word in text[1:].split(",") if word.isascii() and word.isdigit() and len(word) < 9)
    return notation.parse_turn(game.position, text)
