"""Tournaments: what may be created and entered, who may run one, and what is secret until the end."""

import hashlib
import threading
from typing import Any

import pytest
from sqlalchemy import select

from arena import __version__
from arena.errors import (
    ArenaError,
    Forbidden,
    Invalid,
    NameTaken,
    NotFound,
    UnknownFormat,
    UnknownGame,
    UnknownOption,
)
from arena.services import bots, tournaments
from arena.services.tournaments import create
from arena.store.accounts import User
from arena.store.schema import entrants
from arena.store.session import Store
from arena.store.tournaments import Tournament
from tests.support.people import active_bots, qualify, register, submit

NAMES = ("abel", "beth", "cora")


@pytest.fixture
def field(any_store: Store) -> dict[str, User]:
    return active_bots(any_store, NAMES)


@pytest.fixture
def maker(any_store: Store) -> User:
    return register(any_store, "maker")


def cup(store: Store, user: User, **changes: Any) -> Tournament:
    fields: dict[str, Any] = {"name": "cup", "ruleset": "oware", "bots": list(NAMES)} | changes
    return create(store, user, **fields)


@pytest.mark.usefixtures("field")
def test_a_tournament_has_the_games_own_terms_by_default(any_store: Store, maker: User) -> None:
    made = cup(any_store, maker, ruleset=" Oware:grand_slam=forfeit ")
    assert (made.ruleset, made.match_format, made.time_control) == ("oware", "best-of-5", "quick")
    assert (made.cycles, made.opening_plies, made.is_rated) == (1, 4, True)
    assert (made.state, made.match_count, made.finished, made.void) == ("created", 3, 0, 0)
    assert (made.owner, made.engine_version, made.started_at, made.ended_at) == ("maker", __version__, None, None)
    assert tournaments.show(any_store, made.id) == made
    assert [entrant.bot for entrant in tournaments.entrants(any_store, made.id)] == list(NAMES)


@pytest.mark.usefixtures("field")
def test_terms_that_are_given_are_kept_in_their_canonical_form(any_store: Store, maker: User) -> None:
    made = cup(any_store, maker, match_format="games-4", time_control="1000+30000", cycles=2, opening_plies=0)
    assert (made.match_format, made.time_control, made.cycles, made.match_count) == ("games-4", "standard", 2, 6)
    assert made.is_rated


@pytest.mark.usefixtures("field")
def test_the_seed_is_drawn_hidden_and_shown_at_the_end(any_store: Store, maker: User) -> None:
    made = cup(any_store, maker, draw_seed=lambda size: "ab" * size)
    assert made.is_rated
    assert made.seed is None
    assert made.seed_hash == hashlib.sha256(("ab" * 32).encode()).hexdigest()
    assert tournaments.start(any_store, maker, made.id).seed is None
    assert tournaments.cancel(any_store, maker, made.id).seed == "ab" * 32


@pytest.mark.usefixtures("field")
def test_two_tournaments_have_different_seeds(any_store: Store, maker: User) -> None:
    assert cup(any_store, maker).seed_hash != cup(any_store, maker, name="cup-2").seed_hash


@pytest.mark.usefixtures("field")
def test_a_given_seed_makes_it_unrated(any_store: Store, maker: User) -> None:
    made = cup(any_store, maker, seed="42")
    assert not made.is_rated
    assert made.seed is None
    assert tournaments.cancel(any_store, maker, made.id).seed == hashlib.sha256(b"42").hexdigest()
    assert not cup(any_store, maker, name="cup-2", seed="ab" * 32).is_rated


@pytest.mark.usefixtures("field")
@pytest.mark.parametrize(("cycles", "is_rated"), [(1, True), (2, True), (3, False)])
def test_more_than_two_cycles_are_not_rated(any_store: Store, maker: User, cycles: int, is_rated: bool) -> None:
    assert cup(any_store, maker, cycles=cycles).is_rated is is_rated


@pytest.mark.usefixtures("field")
@pytest.mark.parametrize(
    ("change", "error", "told"),
    [
        ({"name": "The Cup"}, Invalid, ("name", "'The Cup' is no name")),
        ({"name": "all"}, NameTaken, ("name", "reserved")),
        ({"ruleset": "chess"}, UnknownGame, ("ruleset", "chess")),
        ({"ruleset": "oware:pits=9"}, UnknownOption, ("ruleset", "pits")),
        ({"match_format": "best-of-4"}, UnknownFormat, ("format", "best-of-4")),
        ({"time_control": "slow"}, UnknownFormat, ("time_control", "quick")),
        ({"cycles": 0}, Invalid, ("cycles", "0 cycles")),
        ({"cycles": 101}, Invalid, ("cycles", "1 to 100")),
        ({"opening_plies": -1}, Invalid, ("opening_plies", "-1")),
        ({"opening_plies": 999}, Invalid, ("opening_plies", "999")),
        ({"seed": ""}, Invalid, ("seed", "1 to 64")),
        ({"seed": "x" * 65}, Invalid, ("seed", "1 to 64")),
        ({"bots": []}, Invalid, ("bots", "0 bots; a tournament has 2 to 2000")),
        ({"bots": ["abel"]}, Invalid, ("bots", "1 bot; a tournament has 2 to 2000")),
        ({"bots": ["abel", "beth", "abel"]}, Invalid, ("bots", "'abel' is named 2 times")),
        ({"bots": ["abel", "zoe"]}, NotFound, ("bots", "no bot 'zoe'")),
        ({"bots": "abel"}, Invalid, ("bots", "no list")),
        ({"bots": ["x"] * 2001}, Invalid, ("bots", "more than 2000 bots")),
    ],
)
def test_a_bad_request_names_its_field_and_writes_nothing(
    any_store: Store, maker: User, change: dict[str, Any], error: type[ArenaError], told: tuple[str, str]
) -> None:
    field_name, message = told
    with pytest.raises(error, match=message) as caught:
        cup(any_store, maker, **change)
    assert caught.value.field == field_name
    assert tournaments.list_tournaments(any_store).items == ()
    with any_store.read() as tx:
        assert tx.execute(select(entrants)).all() == []


def test_only_bots_that_may_play_can_be_entered(any_store: Store, field: dict[str, User], maker: User) -> None:
    submit(any_store, maker, "raw")
    submit(any_store, field["abel"], "other", "urim")
    submit(any_store, field["abel"], "old")
    submit(any_store, field["abel"], "closed")
    qualify(any_store)
    submit(any_store, field["abel"], "unchecked")
    bots.retire(any_store, field["abel"], "old")
    bots.set_open(any_store, field["abel"], "closed", False)
    for name, error, message in [
        ("other", Invalid, "other plays urim, not oware"),
        ("old", Invalid, "old is retired"),
        ("unchecked", Invalid, "unchecked has no active version"),
        ("closed", Forbidden, "kept out of other people's tournaments by owner-of-abel"),
    ]:
        with pytest.raises(error, match=message) as caught:
            cup(any_store, maker, bots=["abel", name])
        assert caught.value.field == "bots"
    own = cup(any_store, field["abel"], bots=["abel", "closed"])
    assert [entrant.bot for entrant in tournaments.entrants(any_store, own.id)] == ["abel", "closed"]


def test_all_means_every_open_active_bot_of_the_game(any_store: Store, field: dict[str, User], maker: User) -> None:
    submit(any_store, maker, "other", "urim")
    submit(any_store, maker, "closed")
    qualify(any_store)
    submit(any_store, maker, "unchecked")
    bots.set_open(any_store, maker, "closed", False)
    bots.retire(any_store, field["beth"], "beth")
    made = cup(any_store, maker, bots="all")
    assert [entrant.bot for entrant in tournaments.entrants(any_store, made.id)] == ["abel", "cora"]


def test_all_needs_two_bots(any_store: Store, maker: User) -> None:
    active_bots(any_store, ["lonely"])
    with pytest.raises(Invalid, match="1 bot; a tournament has 2 to 2000"):
        cup(any_store, maker, bots="all")


@pytest.mark.usefixtures("field")
def test_a_name_is_given_once_also_at_one_moment(any_store: Store, maker: User) -> None:
    answers: list[str] = []

    def try_once() -> None:
        try:
            answers.append(cup(any_store, maker).name)
        except NameTaken:
            answers.append("taken")

    threads = [threading.Thread(target=try_once) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(answers) == ["cup", "taken", "taken", "taken"]
