"""A record that says anything untrue is refused, and told where."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import RecordRefused
from arena.match.record import GameRecord, MatchRecord, TurnRecord, Verdict
from arena.match.record import replay as check
from arena.match.turn import Timing
from tests.match.played import forfeited_record, record_of, unfinished_turn_record
from tests.match.scripted import SEED, took

Change = Callable[[MatchRecord], MatchRecord]
NOTHING, ONE = Fraction(0), Fraction(1)


def honest() -> MatchRecord:
    return record_of("oware", "games-4", 4)


def of_game(number: int, **changes: Any) -> Change:
    """The record with fields of its game (from 1) changed; a callable gets the old value."""

    def change(record: MatchRecord) -> MatchRecord:
        game = record.games[number - 1]
        made = {name: new(getattr(game, name)) if callable(new) else new for name, new in changes.items()}
        return with_game(record, number, replace(game, **made))

    return change


def changed(turn: TurnRecord, **changes: Any) -> TurnRecord:
    return TurnRecord(**turn.held() | changes)


def with_game(record: MatchRecord, number: int, game: GameRecord) -> MatchRecord:
    return replace(record, games=(*record.games[: number - 1], game, *record.games[number:]))


def refused(record: MatchRecord, change: Change, where: str) -> None:
    changed = change(record)
    assert changed != record
    with pytest.raises(RecordRefused, match=where):
        check(changed)


TERMS = [
    ("an unknown game", {"ruleset": "chess"}, "terms: no game is called"),
    ("another spelling", {"ruleset": "oware:grand_slam=forfeit"}, "terms: ruleset: .* is claimed, it is 'oware'"),
    ("another ruleset", {"ruleset": "urim"}, "game 1"),
    ("an unknown format", {"match_format": "best"}, "terms: there is no match format"),
    ("a longer format", {"match_format": "games-5"}, "match: it is not decided after 4 games"),
    ("a shorter format", {"match_format": "games-3"}, "game 4: the match was decided before it"),
    ("an unknown time control", {"time_control": "fast"}, "terms: there is no time control"),
    ("a time control not by name", {"time_control": "100+2000"}, "terms: time control"),
    ("another seed", {"seed": "0" * 64}, "game 1: opening"),
    ("no seed", {"seed": ""}, "terms: the seed"),
    ("no opening", {"opening_plies": 0}, "game 1: opening"),
    ("an endless opening", {"opening_plies": 21}, "terms: an opening"),
    ("one bot", {"bots": ()}, "terms: a match has two bots"),
    ("no games", {"games": ()}, "match: it is not decided after 0 games"),
    ("another score", {"score": (1, 1)}, "match: score"),
    ("a score of two wins", {"score": (2, 2)}, "match: score"),
    ("more points", {"points": (Fraction(4), Fraction(1))}, r"match: points: \('4', '1'\) is claimed"),
]


@pytest.mark.parametrize(("what", "changes", "where"), TERMS, ids=[case[0] for case in TERMS])
def test_false_terms_are_refused(what: str, changes: dict[str, Any], where: str) -> None:
    refused(honest(), lambda record: replace(record, **changes), where)


def test_the_winner_of_the_match_is_checked() -> None:
    wrong = {0: 1, 1: 0, None: 0}[honest().winner]
    refused(honest(), lambda record: replace(record, winner=wrong), "match: winner")


def timed(turns: tuple[TurnRecord, ...], timing: Timing) -> tuple[TurnRecord, ...]:
    """The turns, with another time of the first."""
    return (changed(turns[0], timing=timing), *turns[1:])


GAMES = [
    ("the seats exchanged", of_game(2, south=0), "game 2: south: 0 is claimed, it is 1"),
    ("another opening", of_game(3, opening=lambda opening: opening[::-1]), "game 3: opening"),
    ("an opening not played", of_game(1, moves=lambda moves: moves[1:]), "game 1: moves of the opening"),
    ("a move less", of_game(2, moves=lambda moves: moves[:-1]), "game 2: (there is time for 1|it is not over)"),
    ("a move more", of_game(2, moves=lambda moves: (*moves, 0)), r"game 2: turn \d+: .*the game is over"),
    ("an impossible move", of_game(1, moves=lambda moves: (*moves[:10], 99, *moves[11:])), "game 1: turn 11: move 99"),
    ("another ending", of_game(4, ending="repetition"), "game 4: ending"),
    ("points for both", of_game(1, points=(ONE, ONE)), "game 1: points"),
    ("time missing", of_game(1, turns=lambda turns: turns[:-1]), r"game 1: turn \d+: its time is missing"),
    ("time of the other", of_game(1, turns=lambda turns: (changed(turns[0], seat=1), *turns[1:])), "game 1: turn 5"),
    ("time of another ply", of_game(1, turns=lambda turns: (changed(turns[0], ply=3), *turns[1:])), "game 1: turn 5"),
    ("time left over", of_game(1, turns=lambda turns: (*turns, turns[-1])), "game 1: there is time for 1 turns more"),
    ("more time than there was", of_game(1, turns=lambda turns: timed(turns, took(2_100_001))),
     "game 1: turn 5: the answer took"),
    ("negative time", of_game(1, turns=lambda turns: timed(turns, Timing(0, 0, -1, 0))), "turn 5: negative time"),
]


@pytest.mark.parametrize(("what", "change", "where"), GAMES, ids=[case[0] for case in GAMES])
def test_a_false_game_is_refused(what: str, change: Change, where: str) -> None:
    refused(honest(), change, where)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_winner_of_a_game_is_checked(number: int) -> None:
    """Golden in both seats: South and North change from game to game."""
    winner = honest().games[number - 1].winner
    for wrong in {0, 1, None} - {winner}:
        refused(honest(), of_game(number, winner=wrong), f"game {number}: winner")


def test_games_in_another_order_are_refused() -> None:
    refused(honest(), lambda record: replace(record, games=record.games[::-1]), "game 1")


def test_a_bank_is_used_up_once() -> None:
    """Two turns that each fit the bank, and together do not."""
    turns = honest().games[0].turns
    slow = tuple(changed(turn, timing=took(1_200_000)) if turn.ply in (4, 6) else turn for turn in turns)
    refused(honest(), of_game(1, turns=slow), "game 1: turn 7: the answer took 1200 ms; 100 ms of the turn and")


FORFEITS = [        # of the record with forfeits: what is changed, and where it is refused
    ("an unknown kind", 1, {"verdict": lambda verdict: replace(verdict, kind="cheating")}, "no verdict is called"),
    ("no seat", 1, {"verdict": lambda verdict: replace(verdict, seat=2)}, "there is no seat 2"),
    ("the other's fault", 1, {"verdict": lambda verdict: replace(verdict, seat=1), "winner": 0}, "seat at fault"),
    ("the other's time at the end", 1, {"turns": lambda turns: (*turns[:-1], changed(turns[-1], seat=1))}, "last time"),
    ("an ending of its own", 1, {"ending": "timeout"}, "ending: 'timeout' is claimed, it is 'exception'"),
    ("won by the one at fault", 1, {"winner": 0}, "winner: 0 is claimed, it is 1"),
    ("worth two points", 1, {"points": (NOTHING, Fraction(2))}, "points"),
    ("load in mid-game", 1, {"verdict": lambda verdict: replace(verdict, kind="load"), "ending": "load"},
     "a bot that plays has been loaded"),
    ("loading in mid-game", 1, {"verdict": lambda verdict: replace(verdict, is_loading=True)}, "could not be loaded"),
    ("no verdict", 1, {"verdict": None}, "time for 1 turns more"),
    ("no verdict and no time", 1, {"verdict": None, "turns": lambda turns: turns[:-1]}, "not over"),
    ("two times too many", 1, {"turns": lambda turns: (*turns, *turns[-1:])}, "time for 1 turns more"),
    ("negative time at the end", 1,
     {"turns": lambda turns: (*turns[:-1], changed(turns[-1], timing=Timing(-1, 0, 0, 0)))}, "negative time"),
    ("a forfeit after the end", 3,
     {"verdict": Verdict(0, "timeout", ""), "ending": "timeout", "winner": 1, "points": (NOTHING, ONE)},
     "it is forfeited, but had ended by the rules"),
    ("no opening", 2, {"opening": ()}, "opening"),
]


@pytest.mark.parametrize(("what", "number", "changes", "where"), FORFEITS, ids=[case[0] for case in FORFEITS])
def test_a_false_forfeit_is_refused(what: str, number: int, changes: dict[str, Any], where: str) -> None:
    refused(forfeited_record(), of_game(number, **changes), f"game {number}: .*{where}")


def test_moves_of_a_bot_that_could_not_be_loaded_are_refused() -> None:
    record = forfeited_record()
    refused(record, of_game(5, moves=record.games[1].moves), "game 5: a bot could not be loaded, so nothing was played")


def test_a_match_goes_on_after_no_fatal_fault() -> None:
    record = forfeited_record()
    longer = replace(record, games=(*record.games, record.games[0]))
    with pytest.raises(RecordRefused, match="game 6: the match was decided before it"):
        check(longer)


def test_a_forfeit_that_saves_no_match_is_refused() -> None:
    """Its last fault is not fatal once the bot had been loaded, so the match was not over."""
    verdict = Verdict(1, "timeout", "")
    refused(forfeited_record(), of_game(5, verdict=verdict), "game 5: opening")


def test_the_moves_of_an_unfinished_turn_are_checked_too() -> None:
    record = unfinished_turn_record()
    refused(record, of_game(1, moves=lambda moves: (*moves[:-1], 3)), "game 1: turn 1: move 3 is illegal")
    refused(record, of_game(1, opening=(1, 2)), "game 1: it has an opening before the set-up is done")


@settings(max_examples=100)
@given(st.data())
def test_a_changed_move_is_refused_or_leads_to_the_same_end(data: st.DataObject) -> None:
    """A move nobody can tell from the record is only one that changes nothing the record claims."""
    record = honest()
    number = data.draw(st.integers(1, len(record.games)))
    moves = record.games[number - 1].moves
    place = data.draw(st.integers(0, len(moves) - 1))
    other = data.draw(st.integers(0, 5).filter(lambda move: move != moves[place]))
    changed = of_game(number, moves=(*moves[:place], other, *moves[place + 1 :]))(record)
    try:
        check(changed)
    except RecordRefused as error:
        refusal = str(error)
    else:
        refusal = ""
    assert refusal.startswith(f"game {number}: ") or (not refusal and place >= record.opening_plies)


def test_the_seed_of_the_samples_is_the_one_of_the_setup() -> None:
    assert honest().seed == SEED
