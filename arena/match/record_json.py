"""A match record as JSON, and back; a foreign record is read strictly and refused with the place that is wrong.

`turn_fields` names the columns of each game's `turns`.  Points are exact texts, all else is what `record_types` says.
Anybody may read a record: it has the class of a fault, never the message, which is the owner's.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeGuard

from arena.errors import RecordRefused
from arena.match.points import Points, parse_points, points_text
from arena.match.record_types import BotRef, GameRecord, MatchRecord, Verdict
from arena.match.turn import Timing, TurnRecord

SCHEMA = 2
TURN_FIELDS = ("seat", "ply", "charged_us", "wall_us", "cpu_us", "waited_us")
LONGEST_TEXT = 2_000
LARGEST_NUMBER = 10**15         # 31 years in microseconds


def to_json(record: MatchRecord) -> dict[str, Any]:
    """The record out of what JSON can hold."""
    return {
        "record": SCHEMA,
        "engine_version": record.engine_version,
        "isolation": record.isolation,
        "ruleset": record.ruleset,
        "format": record.match_format,
        "time_control": record.time_control,
        "seed": record.seed,
        "opening_plies": record.opening_plies,
        "bots": [
            {"name": bot.name, "version": bot.version, "content_hash": bot.content_hash} for bot in record.bots
        ],
        "score": list(record.score),
        "points": _points_json(record.points),
        "winner": record.winner,
        "turn_fields": list(TURN_FIELDS),
        "games": [_game_json(game) for game in record.games],
    }


def _game_json(game: GameRecord) -> dict[str, Any]:
    return {
        "south": game.south,
        "opening": list(game.opening),
        "moves": list(game.moves),
        "ending": game.ending,
        "winner": game.winner,
        "points": _points_json(game.points),
        "verdict": _verdict_json(game.verdict),
        "turns": [_turn_json(turn) for turn in game.turns],
    }


def _points_json(points: Points) -> list[str]:
    return [points_text(each) for each in points]


def _verdict_json(verdict: Verdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    return {"seat": verdict.seat, "kind": verdict.kind, "is_loading": verdict.is_loading}


def _turn_json(turn: TurnRecord) -> list[int]:
    timing = turn.timing
    return [turn.seat, turn.ply, timing.charged_us, timing.wall_us, timing.cpu_us, timing.waited_us]


def from_json(mapping: Mapping[str, Any]) -> MatchRecord:
    """The record a JSON object describes.  Raises: RecordRefused; whether it is true is for `replay` to say."""
    whole = _Found(mapping, "record")
    whole.only_has(
        "record", "engine_version", "isolation", "ruleset", "format", "time_control", "seed", "opening_plies", "bots",
        "score", "points", "winner", "turn_fields", "games",
    )
    schema = whole["record"].number()
    if schema != SCHEMA:
        raise RecordRefused(f"record: form {schema} is unknown here, this is form {SCHEMA}; record it anew")
    if tuple(each.text() for each in whole["turn_fields"].items()) != TURN_FIELDS:
        raise RecordRefused(f"record.turn_fields: must be {', '.join(TURN_FIELDS)}")
    first, second = (_bot(each) for each in whole["bots"].items(2))
    first_score, second_score = (each.number() for each in whole["score"].items(2))
    return MatchRecord(
        ruleset=whole["ruleset"].text(),
        match_format=whole["format"].text(),
        time_control=whole["time_control"].text(),
        seed=whole["seed"].text(),
        opening_plies=whole["opening_plies"].number(),
        bots=(first, second),
        games=tuple(_game(each) for each in whole["games"].items()),
        score=(first_score, second_score),
        points=_points(whole["points"]),
        winner=whole["winner"].seat_or_none(),
        engine_version=whole["engine_version"].text(),
        isolation=whole["isolation"].text(),
    )


def _is_number(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= LARGEST_NUMBER


class _Found:
    """A value found in a record, with its place; asks for what it must be, or refuses."""

    def __init__(self, value: object, place: str) -> None:
        self.value, self.place = value, place

    def _refuse(self, wanted: str) -> RecordRefused:
        shown = repr(self.value)
        return RecordRefused(f"{self.place}: must be {wanted}, not {shown[:80]}{'…' if len(shown) > 80 else ''}")

    def only_has(self, *keys: str) -> None:
        if not isinstance(self.value, Mapping) or set(self.value) != set(keys):
            raise self._refuse(f"an object of exactly {', '.join(keys)}")

    def __getitem__(self, key: str) -> "_Found":
        assert isinstance(self.value, Mapping)      # only_has has been asked
        return _Found(self.value[key], f"{self.place}.{key}")

    def items(self, length: int | None = None) -> list["_Found"]:
        if not isinstance(self.value, list | tuple) or (length is not None and len(self.value) != length):
            raise self._refuse("a list" if length is None else f"a list of {length}")
        return [_Found(each, f"{self.place}[{number}]") for number, each in enumerate(self.value)]

    def number(self) -> int:
        if not _is_number(self.value):
            raise self._refuse("a whole number from 0 up")
        return self.value

    def numbers(self, length: int | None = None) -> tuple[int, ...]:
        value = self.value
        if isinstance(value, list) and len(value) == (length or len(value)) and all(map(_is_number, value)):
            return tuple(value)                                     # nearly all of a record is lists of numbers
        return tuple(each.number() for each in self.items(length))  # says which one is none

    def text(self) -> str:
        if not isinstance(self.value, str) or len(self.value) > LONGEST_TEXT:
            raise self._refuse("a text, not too long")
        return self.value

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            raise self._refuse("true or false")
        return self.value

    def seat(self) -> int:
        if type(self.value) is not int or self.value not in (0, 1):
            raise self._refuse("a seat, 0 or 1")
        return self.value

    def seat_or_none(self) -> int | None:
        return None if self.value is None else self.seat()


def _bot(found: _Found) -> BotRef:
    found.only_has("name", "version", "content_hash")
    return BotRef(found["name"].text(), found["version"].number(), found["content_hash"].text())


def _game(found: _Found) -> GameRecord:
    found.only_has("south", "opening", "moves", "ending", "winner", "points", "verdict", "turns")
    return GameRecord(
        south=found["south"].seat(),
        opening=found["opening"].numbers(),
        moves=found["moves"].numbers(),
        ending=found["ending"].text(),
        winner=found["winner"].seat_or_none(),
        points=_points(found["points"]),
        verdict=_verdict(found["verdict"]),
        turns=tuple(_turn(each) for each in found["turns"].items()),
    )


def _points(found: _Found) -> tuple[Fraction, Fraction]:
    first, second = (parse_points(each.text()) for each in found.items(2))
    return first, second


def _verdict(found: _Found) -> Verdict | None:
    if found.value is None:
        return None
    found.only_has("seat", "kind", "is_loading")
    return Verdict(found["seat"].seat(), found["kind"].text(), is_loading=found["is_loading"].truth())


def _turn(found: _Found) -> TurnRecord:
    seat, ply, charged, wall, cpu, waited = found.numbers(len(TURN_FIELDS))
    return TurnRecord(seat, ply, Timing(charged, wall, cpu, waited))
