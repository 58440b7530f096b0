"""Create, run and follow a tournament; read its matches, the board and the ledger it leaves behind."""

import html
import re
from fractions import Fraction
from typing import Any

import pytest

from arena.match.record import from_json, replay
from arena.store.session import Store, utc_now
from tests.support import field
from tests.web.conftest import Person

BOTS = ("alpha", "beta", "gamma")


@pytest.fixture
def bots(store: Store, owner: Person) -> tuple[str, ...]:
    """Three active bots of three owners; alpha is ama's."""
    for name in BOTS:
        field.add_bot(store, name, owner="ama" if name == "alpha" else None)
    return BOTS


def new_cup(**changes: Any) -> dict[str, Any]:
    return {"name": "cup", "ruleset": "oware", "bots": list(BOTS), "format": "games-2", **changes}


def play_out(store: Store) -> None:
    moment = field.Moment()
    moment.at = utc_now()
    field.play_out(store, moment)


@pytest.fixture
def played(store: Store, bots: tuple[str, ...], owner: Person) -> dict[str, Any]:
    """A cup that was created, started and played to its end."""
    cup = owner.post("/tournaments", json=new_cup()).json
    owner.post(f"/tournaments/{cup['id']}/start")
    play_out(store)
    answer: dict[str, Any] = owner.get(f"/tournaments/{cup['id']}").json
    return answer


def test_created_tournament_waits_and_says_what_it_is(bots: tuple[str, ...], owner: Person, nobody: Person) -> None:
    answer = owner.post("/tournaments", json=new_cup(ruleset="OWARE:grand_slam=forfeit"))
    assert answer.status_code == 201
    cup = answer.json
    assert answer.headers["Location"] == f"/api/v1/tournaments/{cup['id']}"
    assert (cup["ruleset"], cup["format"], cup["time_control"]) == ("oware", "games-2", "quick")
    assert (cup["state"], cup["match_count"], cup["finished"], cup["is_rated"]) == ("created", 3, 0, True)
    assert cup["seed"] is None
    assert nobody.get(f"/tournaments/{cup['id']}").json == cup
    assert nobody.get("/tournaments").json == {"items": [cup], "next": None}
    assert nobody.get("/tournaments?state=running").json["items"] == []
    assert nobody.get("/tournaments?name=cup").json["items"] == [cup]
    assert nobody.get("/tournaments?name=cap").json["items"] == []


def test_every_bot_enters_by_one_word(bots: tuple[str, ...], owner: Person) -> None:
    assert owner.post("/tournaments", json=new_cup(bots="all", cycles=2)).json["match_count"] == 6


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        ({"seed": "5eed"}, "Not rated: its seed was given, so its maker knows every opening."),
        ({"cycles": 3}, "Not rated: it has 3 cycles, and only tournaments of up to 2 are rated."),
        (
            {"bots": ["alpha", "delta"]},
            "Not rated: all its bots have one owner, and matches between one owner's bots are never rated.",
        ),
    ],
)
def test_unrated_tournament_says_why(
    terms: dict[str, Any], why: str, bots: tuple[str, ...], owner: Person, store: Store
) -> None:
    field.add_bot(store, "delta", owner="ama")
    cup = owner.post("/tournaments", json=new_cup(**terms)).json
    assert (cup["is_rated"], cup["rating_note"]) == (False, why)
    started = owner.post(f"/tournaments/{cup['id']}/start").json
    assert (started["is_rated"], started["rating_note"]) == (False, why)
    assert why in html.unescape(owner.client.get(f"/tournaments/{cup['id']}").get_data(as_text=True))
    play_out(store)
    assert owner.get("/leaderboards/oware").json["size"] == 0


def test_rated_tournament_says_which_matches_are_not(bots: tuple[str, ...], owner: Person, store: Store) -> None:
    field.add_bot(store, "delta", owner="ama")
    cup = owner.post("/tournaments", json=new_cup(bots=["alpha", "beta", "delta"])).json
    assert (cup["is_rated"], cup["rating_note"]) == (
        True, "Matches between bots of one owner are not rated; all others are."
    )
    owner.post(f"/tournaments/{cup['id']}/withdraw", json={"bot": "delta"})
    assert owner.get(f"/tournaments/{cup['id']}").json["rating_note"] is None
    owner.post(f"/tournaments/{cup['id']}/start")
    owner.post(f"/tournaments/{cup['id']}/withdraw", json={"bot": "beta"})
    assert owner.get(f"/tournaments/{cup['id']}").json["is_rated"] is True       # what it has played is rated


def test_reference_bots_are_rated_among_themselves(store: Store, owner: Person) -> None:
    for name in ("arena-one", "arena-two"):
        field.add_bot(store, name, owner="arena")
    cup = owner.post("/tournaments", json=new_cup(bots="all")).json
    assert (cup["is_rated"], cup["rating_note"]) == (True, None)


def test_actions_are_idempotent_and_answer_the_tournament(bots: tuple[str, ...], owner: Person) -> None:
    cup = owner.post("/tournaments", json=new_cup()).json["id"]
    for action, state in [
        ("start", "running"), ("start", "running"), ("pause", "paused"), ("pause", "paused"), ("start", "running"),
        ("rerun-void", "running"), ("cancel", "cancelled"), ("cancel", "cancelled"),
    ]:
        answer = owner.post(f"/tournaments/{cup}/{action}")
        assert (answer.status_code, answer.json["state"]) == (200, state), action
    assert owner.post(f"/tournaments/{cup}/start").status_code == 409


def test_only_its_maker_or_an_admin_runs_it(bots: tuple[str, ...], owner: Person, other: Person, admin: Person) -> None:
    cup = owner.post("/tournaments", json=new_cup()).json["id"]
    for action in ("start", "pause", "cancel", "rerun-void"):
        assert other.post(f"/tournaments/{cup}/{action}").status_code == 403, action
    assert admin.post(f"/tournaments/{cup}/start").status_code == 200


def test_withdrawn_bot_plays_no_more(bots: tuple[str, ...], owner: Person) -> None:
    cup = owner.post("/tournaments", json=new_cup()).json["id"]
    owner.post(f"/tournaments/{cup}/start")
    answer = owner.post(f"/tournaments/{cup}/withdraw", json={"bot": "beta"})
    assert answer.status_code == 200
    lines = {line["bot"]: line["is_withdrawn"] for line in owner.get(f"/tournaments/{cup}/standings").json["items"]}
    assert lines == {"alpha": False, "beta": True, "gamma": False}


def test_finished_tournament_opens_its_seed(played: dict[str, Any]) -> None:
    assert (played["state"], played["finished"], played["void"]) == ("finished", 3, 0)
    assert len(played["seed"]) == 64
    assert played["ended_at"] >= played["started_at"] >= played["created_at"]


def test_standings_add_up(played: dict[str, Any], nobody: Person) -> None:
    lines = nobody.get(f"/tournaments/{played['id']}/standings").json["items"]
    assert sum(Fraction(line["score"]) for line in lines) == 3
    assert sum(Fraction(line["points"]) for line in lines) == 6
    assert all(line["matches"] == 2 for line in lines)
    assert [tie_break["name"] for tie_break in lines[0]["tie_breaks"]][:2] == ["match points", "game points"]
    table = nobody.get(f"/tournaments/{played['id']}/crosstable").json
    assert table["bots"] == [line["bot"] for line in lines]
    assert (table["size"], len(table["cells"])) == (3, 6)
    for line in lines:
        own = [Fraction(cell["score"]) for cell in table["cells"] if cell["bot"] == line["bot"]]
        assert sum(own) == Fraction(line["score"])


def test_match_can_be_replayed_from_its_record(played: dict[str, Any], nobody: Person) -> None:
    matches = nobody.get(f"/tournaments/{played['id']}/matches").json["items"]
    assert [match["schedule_index"] for match in matches] == [0, 1, 2]
    match = matches[0]
    record = nobody.get(f"/matches/{match['id']}/record")
    assert record.mimetype == "application/json"
    replay(from_json(record.json))
    assert match["points"] == record.json["points"]
    assert sum(Fraction(score) for score in match["score"]) == 1
    game = nobody.get(f"/matches/{match['id']}/games/2").json
    assert game["moves"] == record.json["games"][1]["moves"]
    assert set(game["turns"][0]) == {"seat", "ply", "charged_us", "wall_us", "cpu_us", "waited_us"}
    missing = nobody.get(f"/matches/{match['id']}/games/3")
    assert (missing.status_code, missing.json["field"]) == (404, "number")


def test_record_comes_as_text_to_who_asks_for_text(played: dict[str, Any], nobody: Person) -> None:
    match = nobody.get(f"/tournaments/{played['id']}/matches").json["items"][0]["id"]
    text = nobody.get(f"/matches/{match}/record", headers={"Accept": "text/plain"})
    assert text.mimetype == "text/plain"
    assert text.get_data(as_text=True).startswith('[Ruleset "oware"]')


def test_log_of_a_match_goes_to_its_bots_owner(played: dict[str, Any], owner: Person, other: Person) -> None:
    match = next(
        match for match in owner.get("/bots/alpha/matches").json["items"] if match["purpose"] == "tournament"
    )
    seat, opponent = ("first", "second") if match["first"]["name"] == "alpha" else ("second", "first")
    log = owner.get(f"/matches/{match['id']}/logs/{seat}")
    assert (log.status_code, log.mimetype) == (200, "text/plain")
    assert re.fullmatch(r"alpha\S* was here\n", log.get_data(as_text=True))
    assert owner.get(f"/matches/{match['id']}/logs/{opponent}").status_code == 403
    assert other.get(f"/matches/{match['id']}/logs/{seat}").status_code == 403
    assert "was here" not in other.get(f"/matches/{match['id']}/record").get_data(as_text=True)


def test_board_and_history_explain_the_ratings(played: dict[str, Any], nobody: Person) -> None:
    boards = nobody.get("/leaderboards").json["items"]
    assert boards == [{"ruleset": "oware", "size": 3}]
    board = nobody.get("/leaderboards/oware:grand_slam=forfeit").json
    assert (board["ruleset"], board["size"], board["source"]) == ("oware", 3, "sql")
    assert [line["rank"] for line in board["items"]] == [1, 2, 3]
    leader = board["items"][0]
    assert (leader["matches"], leader["provisional"]) == (2, True)
    changes = nobody.get(f"/bots/{leader['bot']}/ratings?ruleset=oware").json["items"]
    assert len(changes) == 2
    for change in changes:
        gained = change["k"] * (Fraction(change["score"]) - Fraction(str(change["expected"])))
        assert change["after"] == pytest.approx(change["before"] + float(gained), abs=1e-6)
    assert changes[0]["after"] == leader["rating"]
    assert nobody.get(f"/bots/{leader['bot']}/ratings").json["items"] == changes


def test_board_is_read_page_by_page_or_around_a_bot(played: dict[str, Any], nobody: Person) -> None:
    whole = nobody.get("/leaderboards/oware").json
    assert whole["next"] is None
    first = nobody.get("/leaderboards/oware?limit=2").json
    rest = nobody.get("/leaderboards/oware", query_string={"limit": 2, "cursor": first["next"]}).json
    assert first["items"] + rest["items"] == whole["items"]
    last = whole["items"][-1]
    assert nobody.get(f"/leaderboards/oware?around={last['bot']}&limit=1").json["items"] == [last]


def test_all_games_have_what_a_form_needs(nobody: Person) -> None:
    answer = nobody.get("/games").json
    assert {game["name"] for game in answer["items"]} == {"oware", "urim", "anywoli", "omweso", "nsolo"}
    assert all({"name", "kind", "default", "meaning"} <= set(o) for game in answer["items"] for o in game["options"])
    formats = {form["name"]: form for form in answer["formats"]}
    assert all(game["default_format"] in formats or game["default_format"].startswith(("games-", "points-"))
               for game in answer["items"])
    assert formats["games-N"]["maximum"] == 1000
    assert [control["name"] for control in answer["time_controls"] if control["is_default"]] == ["quick"]
