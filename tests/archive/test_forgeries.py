"""Archives whose content was changed and whose chain was made to fit: what follows from what gives them away."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from arena.errors import ArchiveRefused
from arena.match.openings import match_seed
from tests.support.archive import Lines, chained, forged, history, lines_of, of_kind, proof_of

Change = Callable[[Lines], object]
Line = dict[str, Any]


def first(lines: Lines, kind: str) -> Line:
    return of_kind(lines, kind)[0]


def won(lines: Lines) -> Line:
    """A match that the first bot has won."""
    return next(match for match in of_kind(lines, "match") if match["result"] and match["result"]["winner"] == 0)


def put(kind: str, key: str, value: object) -> Change:
    """Set a key of the first line of a kind."""
    return lambda lines: first(lines, kind).__setitem__(key, value)


def crown_the_loser(lines: Lines) -> None:
    won(lines)["result"].update(winner=1, score=[0, 2])


def crown_the_loser_in_the_record_too(lines: Lines) -> None:
    crown_the_loser(lines)
    won_before = next(match for match in of_kind(lines, "match") if match["result"]["winner"] == 1
                      and match["record"]["winner"] == 0)
    won_before["record"].update(winner=1, score=[0, 2])


def move_points(lines: Lines) -> None:
    match = won(lines)
    match["result"]["points"].reverse()


def give_a_game_away(lines: Lines) -> None:
    game = next(game for game in won(lines)["record"]["games"] if game["winner"] == 0)
    game.update(winner=1, points=["0", "1"])


def change_a_move(lines: Lines) -> None:
    moves = won(lines)["record"]["games"][0]["moves"]
    moves[10] = (moves[10] + 1) % 6


def shorten_a_game(lines: Lines) -> None:
    game = won(lines)["record"]["games"][0]
    del game["moves"][-1], game["turns"][-1]


def think_too_long(lines: Lines) -> None:
    game = next(game for match in of_kind(lines, "match") for game in match["record"]["games"] if game["turns"])
    game["turns"][0][2] = 10**9


def invent_a_forfeit(lines: Lines) -> None:
    game = next(game for match in of_kind(lines, "match") for game in match["record"]["games"]
                if game["verdict"] is None)
    loser = game["winner"] or 0
    game.update(ending="timeout", winner=1 - loser, points=["0", "1"] if loser == 0 else ["1", "0"],
                verdict={"seat": loser, "kind": "timeout", "is_loading": False})


def exchange_seats(lines: Lines) -> None:
    first(lines, "match")["record"]["bots"].reverse()


def let_another_play(lines: Lines) -> None:
    bots, others = (match["record"]["bots"] for match in of_kind(lines, "match")[:2])
    bots[0] = others[0]


def exchange_matches(lines: Lines) -> None:
    """Two matches change places, with the results that belong to the places."""
    one, other = of_kind(lines, "match")[1:3]
    one["record"], other["record"] = other["record"], one["record"]
    one["result"], other["result"] = other["result"], one["result"]


def exchange_entrants(lines: Lines) -> None:
    entrants = first(lines, "tournament")["entrants"]
    entrants[0], entrants[1] = entrants[1], entrants[0]


def reseed(lines: Lines, *, commitment: bool, matches: bool) -> None:
    """Another seed, with as much made to fit it as told."""
    tournament, seed = first(lines, "tournament"), "0123" * 16
    tournament["seed"] = seed
    if commitment:
        tournament["seed_hash"] = hashlib.sha256(seed.encode()).hexdigest()
    if matches:
        for match in of_kind(lines, "match"):
            match["record"]["seed"] = match_seed(seed, match["index"])


def drop_match(index: int) -> Change:
    return lambda lines: lines.remove(of_kind(lines, "match")[index])


def repeat_match(lines: Lines) -> None:
    match = of_kind(lines, "match")[2]
    lines.insert(lines.index(match), match)


def add_match(lines: Lines) -> None:
    last = of_kind(lines, "match")[-1]
    lines.insert(lines.index(last) + 1, {**last, "index": last["index"] + 1})


def far_away(lines: Lines) -> None:
    """So many cycles that a running tournament's last match has a place that no memory could count up to."""
    tournament, cycles = first(lines, "tournament"), 10**17 + 1
    tournament.update(cycles=cycles, match_count=6 * cycles, reached=6 * cycles, state="running", seed=None)
    of_kind(lines, "match")[-1]["index"] = 6 * cycles - 1


def void_a_match(lines: Lines) -> None:
    first(lines, "match").update(result=None, record=None, void_reason="Nobody came.")


def change_rating(key: str, by: float) -> Change:
    def change(lines: Lines) -> None:
        of_kind(lines, "rating")[1]["changes"][1][key] += by

    return change


def raise_a_rating_for_good(lines: Lines) -> None:
    """One bot's whole line of ratings, raised by the same amount."""
    for rating in of_kind(lines, "rating"):
        for change in rating["changes"]:
            if change["bot"] == "cora":
                change["before"] += 100
                change["after"] += 100
            else:
                change["opponent_before"] += 100 * (change["opponent"] == "cora")


def drop_rating(lines: Lines) -> None:
    lines.remove(of_kind(lines, "rating")[-1])


def rate_twice(lines: Lines) -> None:
    rating = of_kind(lines, "rating")[0]
    lines.insert(lines.index(rating) + 1, rating)


def exchange_ratings(one: int, other: int) -> Change:
    """Two lines of the ledger change places."""

    def change(lines: Lines) -> None:
        places = [lines.index(rating) for rating in of_kind(lines, "rating")]
        lines[places[one]], lines[places[other]] = lines[places[other]], lines[places[one]]

    return change


def come_from_elsewhere(lines: Lines) -> None:
    rating = first(lines, "rating")
    told = {"kind": "elsewhere", "bot": rating["changes"][0]["bot"], "version": 1, "rating": 1900.0, "matches": 9}
    lines.insert(lines.index(rating), told)


def come_from_elsewhere_in_vain(lines: Lines) -> None:
    rating = first(lines, "rating")
    absent = ({"abel", "beth", "cora", "dora"} - {change["bot"] for change in rating["changes"]}).pop()
    lines.insert(lines.index(rating), {"kind": "elsewhere", "bot": absent, "version": 1, "rating": 1.0, "matches": 9})


def win_the_table(lines: Lines) -> None:
    table = first(lines, "standings")["lines"]
    table[0], table[1] = table[1], table[0]


def share_an_owner(lines: Lines) -> None:
    for version in of_kind(lines, "version")[:2]:
        version["owner"] = "sly"


FORGERIES: dict[str, tuple[Change, str]] = {
    "a result's winner": (crown_the_loser, "result"),
    "a winner, in the record too": (crown_the_loser_in_the_record_too, "record"),
    "a result's points": (move_points, "result"),
    "who won a game": (give_a_game_away, "record"),
    "a move": (change_a_move, "record"),
    "a game cut short": (shorten_a_game, "record"),
    "a time the clock forbids": (think_too_long, "record"),
    "a forfeit after the game had ended": (invent_a_forfeit, "record"),
    "the seats of a match": (exchange_seats, "pairing"),
    "a bot in a match": (let_another_play, "pairing"),
    "two matches": (exchange_matches, "pairing"),
    "two entrants": (exchange_entrants, "pairing"),
    "a program": (put("version", "content_hash", "0" * 64), "pairing"),
    "a program's hash that is none": (put("version", "content_hash", "O" * 64), "versions"),
    "the seed": (lambda lines: reseed(lines, commitment=False, matches=False), "seed"),
    "the seed and its hash": (lambda lines: reseed(lines, commitment=True, matches=False), "seed"),
    "the seed, its hash and all from it": (lambda lines: reseed(lines, commitment=True, matches=True), "record"),
    "no seed after the end": (put("tournament", "seed", None), "seed"),
    "a match dropped": (drop_match(2), "schedule"),
    "the first match dropped": (drop_match(0), "schedule"),
    "the last match dropped": (drop_match(-1), "schedule"),
    "a match twice": (repeat_match, "schedule"),
    "a match too many": (add_match, "schedule"),
    "a match made void": (void_a_match, "standings"),
    "a void match without reason": (lambda lines: first(lines, "match").update(result=None, record=None), "schedule"),
    "the cycles": (put("tournament", "cycles", 2), "schedule"),
    "no cycle": (put("tournament", "cycles", 0), "tournament"),
    "a place far away": (far_away, "ratings"),
    "the format": (put("tournament", "match_format", "games-4"), "terms"),
    "the format's spelling": (put("tournament", "match_format", "games-02"), "tournament"),
    "the time control": (put("tournament", "time_control", "standard"), "terms"),
    "the opening plies": (put("tournament", "opening_plies", 6), "terms"),
    "the state": (put("tournament", "state", "won"), "tournament"),
    "the name": (put("tournament", "name", "cop"), "tournament"),
    "the ruleset": (put("header", "ruleset", "urim"), "header"),
    "an option": (lambda lines: first(lines, "header")["options"].update(quiet_limit=50), "header"),
    "a change's end": (change_rating("after", 0.000001), "ratings"),
    "a change's start": (change_rating("before", 1.0), "ratings"),
    "a change's share": (change_rating("expected", 0.000001), "ratings"),
    "a change's weight": (change_rating("k", 20), "ratings"),
    "all ratings of a bot": (raise_a_rating_for_good, "ratings"),
    "a change dropped": (drop_rating, "ratings"),
    "a change twice": (rate_twice, "order"),
    "the ledger's order": (exchange_ratings(0, 3), "ratings"),
    "the ledger's order where it makes no difference": (exchange_ratings(0, 1), "order"),
    "a start from elsewhere": (come_from_elsewhere, "ratings"),
    "an absent bot from elsewhere": (come_from_elsewhere_in_vain, "ratings"),
    "an unrated tournament": (put("tournament", "is_rated", False), "ratings"),
    "an owner of two": (share_an_owner, "ratings"),
    "the table": (win_the_table, "standings"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_with_a_new_chain_is_refused_with_its_place(name: str) -> None:
    change, check = FORGERIES[name]
    content = forged(history().cup, change)
    with pytest.raises(ArchiveRefused) as refused:
        proof_of(content)
    assert refused.value.check == check, refused.value
    assert 1 <= refused.value.line <= content.count(b"\n")
    assert str(refused.value)


FORGERIES_OF_ALL: dict[str, tuple[Change, str]] = {
    "where a version stands": (put("rated", "rating", 1700.0), "ratings"),
    "how much it has won": (put("rated", "wins", 12), "ratings"),
    "a version that is not there": (lambda lines: lines.remove(of_kind(lines, "rated")[-1]), "ratings"),
    "a version too many": (lambda lines: lines.insert(-1, of_kind(lines, "rated")[-1]), "ratings"),
    "a rating taken over": (
        lambda lines: lines.insert(lines.index(first(lines, "rating")), {
            "kind": "elsewhere", "bot": "abel", "version": 1, "rating": 1500.0, "matches": 3}),
        "ratings",
    ),
    "a bot of two owners": (lambda lines: of_kind(lines, "version")[-1].update(owner="thief"), "versions"),
    "a version twice": (lambda lines: lines.insert(2, lines[1]), "versions"),
    "a version nobody introduced": (lambda lines: lines.remove(of_kind(lines, "version")[-1]), "versions"),
    "two tournaments of one number": (lambda lines: of_kind(lines, "tournament")[1].update(id=1), "tournament"),
    "a match in the wrong tournament": (lambda lines: of_kind(lines, "match")[7].update(tournament=1), "schedule"),
    "a rating of no tournament": (lambda lines: of_kind(lines, "rating")[7].update(tournament=3), "ratings"),
    "a rating of a void match": (
        lambda lines: of_kind(lines, "rating")[-1].update(index=void_index(lines)), "ratings"
    ),
    "who has left": (
        lambda lines: next(entrant for entrant in of_kind(lines, "tournament")[1]["entrants"]
                           if entrant["bot"] == "cora").update(withdrawn_at=None),
        "standings",
    ),
}


def void_index(lines: Lines) -> int:
    index: int = next(match["index"] for match in of_kind(lines, "match") if match["void_reason"])
    return index


@pytest.mark.parametrize("name", FORGERIES_OF_ALL)
def test_a_forged_archive_of_a_ruleset_is_refused(name: str) -> None:
    change, check = FORGERIES_OF_ALL[name]
    with pytest.raises(ArchiveRefused) as refused:
        proof_of(forged(history().oware, change))
    assert refused.value.check == check, refused.value


MISSHAPEN: dict[str, tuple[Change, str]] = {
    "another kind of file": (put("header", "format", "arena-novel"), "header"),
    "a later version": (put("header", "version", 2), "header"),
    "no header": (lambda lines: lines.pop(0), "form"),
    "a line of no kind": (lambda lines: lines.insert(2, {"kind": "verse"}), "form"),
    "a key too many": (put("tournament", "note", ""), "form"),
    "a key too few": (lambda lines: first(lines, "match").pop("attempt"), "form"),
    "truth for a number": (put("match", "attempt", True), "form"),
    "a fraction for a number": (put("match", "index", 0.0), "form"),
    "a number for a fraction": (lambda lines: first(lines, "rating")["changes"][0].update(after=1500), "form"),
    "less than nothing": (put("match", "index", -1), "form"),
    "a text for a list": (put("tournament", "entrants", "all"), "form"),
    "a list for an object": (put("match", "result", []), "form"),
    "a record of another form": (lambda lines: first(lines, "match")["record"].pop("bots"), "record"),
    "matches after the table": (lambda lines: lines.insert(-1, first(lines, "match")), "form"),
    "ratings before the table": (lambda lines: lines.insert(6, first(lines, "rating")), "form"),
    "a tournament's standing": (
        lambda lines: lines.insert(-1, {
            "kind": "rated", "bot": "abel", "version": 1, "rating": 1500.0, "matches": 3, "wins": 1, "draws": 1,
            "losses": 1}),
        "ratings",
    ),
}


@pytest.mark.parametrize("name", MISSHAPEN)
def test_what_has_not_the_form_of_an_archive_is_refused(name: str) -> None:
    change, check = MISSHAPEN[name]
    with pytest.raises(ArchiveRefused) as refused:
        proof_of(forged(history().cup, change))
    assert refused.value.check == check, refused.value


@pytest.mark.parametrize("key", ["lines", "matches", "games", "ratings"])
def test_totals_that_are_not_those_of_the_file_are_refused(key: str) -> None:
    lines = lines_of(history().cup)
    lines[-1][key] += 1
    with pytest.raises(ArchiveRefused, match=key) as refused:
        proof_of(chained(lines))
    assert refused.value.check == "totals"


def test_nothing_stands_after_the_end() -> None:
    lines = lines_of(history().cup)
    with pytest.raises(ArchiveRefused, match="after one of kind 'end'") as refused:
        proof_of(chained([*lines, lines[-1]]))
    assert (refused.value.line, refused.value.check) == (len(lines) + 1, "form")
