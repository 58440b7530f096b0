"""The two forms of a record give it back, and foreign ones are read strictly."""

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import RecordRefused
from arena.match.record import MatchRecord, from_json, from_text, replay, to_json, to_text
from tests.match.played import forfeited_record, published, record_of, records, unfinished_turn_record

RECORDS = pytest.mark.parametrize("record", records(), ids=lambda record: f"{record.ruleset} {record.match_format}")


@RECORDS
def test_the_json_form_gives_the_record_back(record: MatchRecord) -> None:
    assert from_json(json.loads(json.dumps(to_json(record)))) == published(record)


@RECORDS
def test_the_text_form_gives_the_record_back(record: MatchRecord) -> None:
    assert from_text(to_text(record)) == published(record)


def test_neither_form_has_what_is_for_the_owner_alone() -> None:
    record = forfeited_record()
    assert any(game.verdict and "ZeroDivisionError" in game.verdict.message for game in record.games)
    assert "ZeroDivisionError" not in json.dumps(to_json(record)) + to_text(record)


@RECORDS
def test_a_played_record_is_true(record: MatchRecord) -> None:
    replay(record)


@settings(max_examples=25)
@given(dice=st.integers(0, 10**6), ruleset=st.sampled_from(["oware", "urim", "omweso", "nsolo"]))
def test_any_match_survives_both_forms(dice: int, ruleset: str) -> None:
    record = record_of(ruleset, "games-1", 4, dice)
    replay(from_json(to_json(record)))
    assert from_text(to_text(record)) == record


def test_the_samples_hold_what_they_should() -> None:
    kinds = [game.verdict and (game.verdict.seat, game.verdict.kind) for game in forfeited_record().games]
    assert kinds == [(0, "exception"), (1, "illegal_move"), None, (1, "crash"), (1, "timeout")]
    half = unfinished_turn_record().games[0]
    assert half.verdict is not None
    assert len(half.moves) == 3


def test_the_text_form_reads_like_a_game() -> None:
    text = to_text(forfeited_record())
    lines = text.split("\n")
    assert lines[0] == '[Ruleset "oware"]'
    assert '[First "alice", 1, "' + "a" * 64 + '"]' in lines
    assert '[Verdict "first", "exception", "playing"]' in lines
    assert '[Verdict "second", "timeout", "loading"]' in lines
    assert "1. S 4" in lines
    assert "5. S 0 {1.000 ms, wall 1.007, cpu 1.000, waited 0.007}" in lines


@pytest.mark.parametrize("name", ['a "quote", a [tag] and {braces}', "[Game 2]", "ünïcödé – ½", "", "\u2028\x85"])
def test_no_text_breaks_the_text_form(name: str) -> None:
    record = published(forfeited_record())
    changed = replace(record, bots=(replace(record.bots[0], name=name), record.bots[1]))
    assert from_text(to_text(changed)) == changed


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a JSON value, down to its first list entries."""
    yield path
    if isinstance(value, dict):
        for key, each in value.items():
            yield from places(each, (*path, key))
    elif isinstance(value, list):
        for number, each in enumerate(value[:2]):
            yield from places(each, (*path, number))


def put(whole: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    changed = copy.deepcopy(whole)
    if not path:
        return change(changed)
    target = changed
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = change(target[path[-1]])
    return changed


WRONG: list[Any] = [1.5, True, "x" * 3_000, [[]], {"a": 1}, -1, 10**40, float("nan")]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: repr(wrong)[:12])
def test_a_wrong_value_anywhere_is_refused(wrong: Any) -> None:
    """A number where a text is due, and so on: at every place of the form."""
    whole = to_json(forfeited_record())
    for path in places(whole):
        changed = put(whole, path, lambda value: wrong)
        if isinstance(wrong, bool) and path[-1:] == ("is_loading",):
            continue
        with pytest.raises(RecordRefused) as refusal:
            from_json(changed)
        assert len(str(refusal.value)) < 500


def test_a_missing_or_additional_key_is_refused() -> None:
    whole = to_json(forfeited_record())
    objects = [path for path in places(whole) if isinstance(_at(whole, path), dict)]
    assert len(objects) >= 5
    for path in objects:
        for key in _at(whole, path):
            with pytest.raises(RecordRefused, match="must be an object of exactly"):
                from_json(put(whole, path, lambda value, gone=key: _without(value, gone)))  # type: ignore[misc]
        with pytest.raises(RecordRefused, match="must be an object of exactly"):
            from_json(put(whole, path, lambda value: {**value, "extra": 1}))


def _without(mapping: dict[str, Any], key: str) -> dict[str, Any]:
    return {each: value for each, value in mapping.items() if each != key}


def _at(whole: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        whole = whole[step]
    return whole


def test_a_refusal_says_where() -> None:
    whole = to_json(forfeited_record())
    with pytest.raises(RecordRefused, match=r"record\.games\[1\]\.moves\[0\]: must be a whole number .* not '4'"):
        from_json(put(whole, ("games", 1, "moves", 0), str))


def test_a_record_of_another_form_is_refused() -> None:
    with pytest.raises(RecordRefused, match="form 1 is unknown"):
        from_json({**to_json(forfeited_record()), "record": 1})


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("[South ", "[North ", "game 1: the tag South is missing"),
        ('[South "first"]', '[South "third"]', "first, second, nobody, not 'third'"),
        ("1. S 4", "1. S 9", "game 1, turn 1"),
        ("2. N", "3. N", "game 1: turn 2 is expected"),
        ('[Seed "', '[Seed ', "cannot read the tag"),
        ("[Engine ", "[Motor ", "the tag Engine is missing"),
        ('[Format "games-9"]', '[Format "games-9", 1]', "has one value, not 2"),
        ('"exception", "playing"', '"exception", "dreaming"', "loading or playing"),
        ('[Ruleset "oware"]', '[Ruleset "chess"]', "chess"),
        ("1.000 ms", "1.0 ms", "game 1: turn 5 is expected"),
        ("[First ", "[First 5, ", r"bots\[0\]"),
    ],
)
def test_a_broken_text_is_refused_and_the_place_named(old: str, new: str, where: str) -> None:
    text = to_text(forfeited_record())
    assert old in text
    with pytest.raises(RecordRefused, match=where):
        from_text(text.replace(old, new, 1))


@given(st.text(max_size=200))
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(RecordRefused):
        from_text(text)


@settings(max_examples=200)
@given(st.data())
def test_a_damaged_text_is_refused_or_still_a_record(data: st.DataObject) -> None:
    text = to_text(record_of("oware:quiet_limit=5", "antigua", 2))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    damaged = text[:start] + data.draw(st.text(max_size=5)) + text[end:]
    try:
        assert isinstance(from_text(damaged), MatchRecord)
    except RecordRefused:
        return
