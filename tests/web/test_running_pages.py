"""Tournaments by form, without script: options of each game, faults beside the field, and who may run what."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from arena import games
from arena.services import dispatch, tournaments
from arena.store.accounts import find_user
from arena.store.schema import matches
from arena.store.session import Store, utc_now
from arena.store.tournaments import Tournament
from tests.support import field, people, season
from tests.support.visitor import Visitor


@pytest.fixture
def ama(client: FlaskClient, store: Store) -> Visitor:
    """Somebody in an arena with three bots of others."""
    people.active_bots(store, ["alpha", "beta", "gamma"])
    return Visitor(client).sign_up("ama")


@pytest.fixture
def kofi(client: FlaskClient) -> Visitor:
    return Visitor(client.application.test_client()).sign_up("kofi")


def create(visitor: Visitor, game: str = "oware", **fields: Any) -> str:
    filled = {
        "game": game, "name": "cup", "who": "all", "format": "", "time_control": "quick", "cycles": "1",
        "opening_plies": "4", "seed": "", "then": "wait",
    }
    return visitor.send(f"/tournaments/new?game={game}", "/tournaments/new", **{**filled, **fields})


def newest(store: Store) -> Tournament:
    return tournaments.list_tournaments(store, limit=1).items[0]


def test_the_game_is_chosen_first_and_its_options_follow(ama: Visitor) -> None:
    page = ama.go("/tournaments/new")
    for game in games.describe():
        assert f'href="/tournaments/new?game={game["name"]}"' in page
        described = ama.go(f"/tournaments/new?game={game['name']}")
        options: Any = game["options"]
        for option in options:
            assert f'name="option-{option["name"]}"' in described
            assert str(option["meaning"])[1:20] in ama.words


@pytest.mark.parametrize("game", ["", "chess", "oware:quiet_limit=9"])
def test_without_a_game_the_choice_comes_again_and_says_so(ama: Visitor, store: Store, game: str) -> None:
    ama.send("/tournaments/new?game=oware", "/tournaments/new", game=game, name="cup")
    assert ama.status == 422
    assert f"{game!r} is none of the games" in ama.words
    assert 'href="/tournaments/new?game=urim"' in ama.text
    assert not tournaments.list_tournaments(store).items


def test_what_is_filled_in_is_what_is_created(ama: Visitor, store: Store) -> None:
    create(ama, **{
        "name": "autumn", "who": "these", "bots": ["alpha", "beta"], "more": "gamma", "format": "games-N",
        "format_count": "6", "time_control": "bullet", "cycles": "2", "opening_plies": "0", "seed": "",
        "option-grand_slam": "win25", "option-quiet_limit": "80",
    })
    made = newest(store)
    assert ama.answer.headers["Location"] == f"/tournaments/{made.id}"
    assert (made.name, made.owner, made.ruleset) == ("autumn", "ama", "oware:grand_slam=win25,quiet_limit=80")
    assert (made.match_format, made.time_control, made.cycles, made.opening_plies) == ("games-6", "bullet", 2, 0)
    assert (made.entrants, made.is_rated, made.state) == (3, True, "created")


def test_what_is_left_alone_is_as_usual(ama: Visitor, store: Store) -> None:
    create(ama, then="start")
    made = newest(store)
    assert (made.ruleset, made.match_format, made.time_control, made.entrants) == ("oware", "best-of-5", "quick", 3)
    assert made.state == "running"


@pytest.mark.parametrize(
    ("fields", "place", "says"),
    [
        ({"name": "My Cup"}, "name", "starts with a letter"),
        ({"option-quiet_limit": "many"}, "ruleset", "quiet_limit"),
        ({"option-quiet_limit": "5,seeds=3"}, "ruleset", "seeds=3"),
        ({"format": "points-N", "format_count": "0"}, "format", "points-0"),
        ({"format": "points-N"}, "format", "points-?"),
        ({"time_control": "eternal"}, "time_control", "eternal"),
        ({"cycles": "0"}, "cycles", "1 to 100"),
        ({"cycles": "often"}, "cycles", "1 to 100"),
        ({"opening_plies": "99"}, "opening_plies", "0 to"),
        ({"who": "these"}, "bots", "2 to"),
        ({"who": "these", "bots": ["alpha"], "more": "nobody"}, "bots", "nobody"),
        ({"who": "these", "bots": ["alpha"], "more": "alpha"}, "bots", "2 to"),
        ({"seed": "x" * 65}, "seed", "is no seed: one is any text of 1 to 64 characters"),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_the_rest_is_kept(
    ama: Visitor, store: Store, fields: dict[str, Any], place: str, says: str
) -> None:
    page = create(ama, **fields)
    assert ama.status in (404, 422)
    assert says in ama.fault(place)
    assert f'id="{place}"' in page
    assert not tournaments.list_tournaments(store).items
    for name, value in fields.items():
        if isinstance(value, str) and value.isalnum() and name not in ("who", "time_control"):
            assert f'value="{value}"' in page


def test_bots_that_cannot_be_entered_are_not_offered(ama: Visitor, kofi: Visitor, store: Store) -> None:
    with store.read() as tx:
        owner = find_user(tx, "kofi")
    assert owner is not None
    people.submit(store, owner, "checking")
    people.submit(store, owner, "foreign", "urim")
    offered = set(re.findall(r'name="bots" value="([^"]+)"', ama.go("/tournaments/new?game=oware")))
    assert offered == {"alpha", "beta", "gamma"}


def test_controls_are_for_who_runs_it(ama: Visitor, kofi: Visitor, store: Store) -> None:
    create(ama)
    number = newest(store).id
    page = ama.go(f"/tournaments/{number}")
    assert f'formaction="/tournaments/{number}/start"' in page
    assert "formaction" not in kofi.go(f"/tournaments/{number}")
    for act in ("start", "pause", "cancel", "rerun-void", "bots/alpha/withdraw"):
        kofi.send("/account", f"/tournaments/{number}/{act}")
        assert kofi.status == 403
    kofi.go(f"/tournaments/{number}/cancel")
    assert kofi.status == 403
    assert newest(store).state == "created"


def test_a_tournament_is_started_paused_resumed_and_cancelled(ama: Visitor, store: Store) -> None:
    create(ama)
    at = f"/tournaments/{newest(store).id}"
    steps = (("start", "running", "pause"), ("pause", "paused", "start"), ("start", "running", "pause"))
    for act, state, offered in steps:
        ama.send(at, f"{at}/{act}")
        assert f'formaction="{at}/{offered}"' in ama.follow()
        assert newest(store).state == state
    assert "This cannot be undone" in ama.go(f"{at}/cancel")
    assert newest(store).state == "running"
    ama.send(f"{at}/cancel")
    assert "formaction" not in ama.follow()
    assert newest(store).state == "cancelled"
    ama.send("/account", f"{at}/start")
    assert "cannot go on" in ama.follow()


def test_before_the_start_an_owner_takes_the_bot_out_and_afterwards_who_runs_it(
    ama: Visitor, client: FlaskClient, store: Store
) -> None:
    create(ama)
    at = f"/tournaments/{newest(store).id}"
    owner = Visitor(client.application.test_client())
    owner.send("/log-in", name="owner-of-alpha", password=people.PASSWORD)
    assert f"{at}/bots/alpha/withdraw" in owner.go(f"{at}/bots/alpha")
    assert "withdraw" not in owner.go(f"{at}/bots/beta")
    owner.send(f"{at}/bots/alpha/withdraw")
    assert owner.status == 302
    assert newest(store).match_count == 1
    owner.go(f"{at}/bots/beta/withdraw")
    assert owner.status == 403
    ama.send(at, f"{at}/start")
    ama.send(f"{at}/bots/beta/withdraw")
    assert "withdrawn" in ama.follow()


def test_void_matches_are_played_again(ama: Visitor, store: Store) -> None:
    create(ama, then="start")
    at, moment = f"/tournaments/{newest(store).id}", field.Moment()
    moment.at = utc_now()
    for _ in range(3):              # three workers that went away
        dispatch.tick(store, field.Post(), moment)
        with store.read() as tx:
            first = tx.scalar(select(matches.c.id).where(matches.c.schedule_index == 0))
        assert first is not None
        (_,) = field.claim(store, [first], now=moment)
        moment.pass_seconds(store.settings.lease_seconds + 1)
    field.play_out(store, moment)
    assert (newest(store).state, newest(store).void) == ("finished", 1)
    assert f'formaction="{at}/rerun-void"' in ama.go(at)
    ama.send(at, f"{at}/rerun-void")
    assert (newest(store).state, newest(store).void) == ("running", 0)
    assert "rerun-void" not in ama.follow()


def test_hostile_names_stay_text(ama: Visitor, store: Store) -> None:
    season.rename(store, "alpha", season.HOSTILE)
    create(ama)
    at = f"/tournaments/{newest(store).id}"
    for path in ("/tournaments/new?game=oware", at, f"{at}/cancel"):
        assert "<script>alert" not in ama.go(path)
        assert ama.status == 200
    assert "&lt;script&gt;alert" in ama.go("/tournaments/new?game=oware")
