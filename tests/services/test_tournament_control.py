"""Tournaments: who may run one, what each act does in each state, and what start freezes."""


import threading
from dataclasses import replace
from typing import Any

import pytest

from arena.errors import (
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    QuotaExceeded,
)
from arena.services import bots, dispatch, live, tournaments
from arena.services.tournaments import create
from arena.store import windows
from arena.store.accounts import User
from arena.store.schema import tournaments as table
from arena.store.session import Store, utc_now
from arena.store.tournaments import Tournament
from tests.support.field import Post
from tests.support.people import SOURCE, active_bots, admin, qualify, register

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
def test_only_the_maker_and_admins_run_it(any_store: Store, maker: User) -> None:
    made, stranger = cup(any_store, maker), register(any_store, "stranger")
    acts = [tournaments.start, tournaments.pause, tournaments.cancel, tournaments.rerun_void]
    for act in acts:
        with pytest.raises(Forbidden, match="cup is run by maker"):
            act(any_store, stranger, made.id)
    with pytest.raises(Forbidden, match="cup is run by maker"):
        tournaments.withdraw(any_store, stranger, made.id, "abel")
    assert tournaments.start(any_store, admin(any_store), made.id).state == "running"


def test_what_is_not_there_is_not_found(store: Store) -> None:
    maker = register(store, "maker")
    for act in (tournaments.start, tournaments.pause, tournaments.cancel, tournaments.rerun_void):
        with pytest.raises(NotFound, match="no tournament 9"):
            act(store, maker, 9)
    looks = (tournaments.show, tournaments.entrants, tournaments.standings, tournaments.crosstable, live.moment)
    for look in looks:
        with pytest.raises(NotFound, match="no tournament 9"):
            look(store, 9)
    with pytest.raises(NotFound, match="no tournament 9"):
        tournaments.list_matches(store, tournament_id=9)


def test_starting_pins_the_newest_active_versions(any_store: Store, field: dict[str, User], maker: User) -> None:
    made = cup(any_store, maker)
    bots.submit_version(any_store, field["beth"], "beth", "bot.py", SOURCE + b"#2\n")
    qualify(any_store)
    bots.submit_version(any_store, field["cora"], "cora", "bot.py", SOURCE + b"#2\n")
    tournaments.start(any_store, maker, made.id)
    bots.submit_version(any_store, field["abel"], "abel", "bot.py", SOURCE + b"#2\n")
    qualify(any_store)
    pinned = {entrant.bot: entrant.version for entrant in tournaments.entrants(any_store, made.id)}
    assert pinned == {"abel": 1, "beth": 2, "cora": 1}


def test_starting_leaves_out_who_has_retired_or_closed_since(
    any_store: Store, field: dict[str, User], maker: User
) -> None:
    active_bots(any_store, ["dora", "emil"])
    made = cup(any_store, maker, bots=[*NAMES, "dora", "emil"])
    bots.retire(any_store, field["beth"], "beth")
    bots.set_open(any_store, field["abel"], "abel", False)
    tournaments.withdraw(any_store, maker, made.id, "dora")
    started = tournaments.start(any_store, maker, made.id)
    playing = tournaments.entrants(any_store, made.id)
    assert [(entrant.number, entrant.bot) for entrant in playing] == [(0, "cora"), (1, "emil")]
    assert started.match_count == 1


def test_starting_needs_two_bots(any_store: Store, field: dict[str, User], maker: User) -> None:
    made = cup(any_store, maker, bots=["abel", "beth"])
    bots.retire(any_store, field["beth"], "beth")
    with pytest.raises(Conflict, match="fewer than 2 bots that may still play"):
        tournaments.start(any_store, maker, made.id)
    assert tournaments.show(any_store, made.id).state == "created"


@pytest.mark.usefixtures("field")
def test_every_act_twice_is_once(any_store: Store, maker: User) -> None:
    made = cup(any_store, maker)
    for act, state in [
        (tournaments.start, "running"),
        (tournaments.pause, "paused"),
        (tournaments.start, "running"),
        (tournaments.rerun_void, "running"),
        (tournaments.cancel, "cancelled"),
    ]:
        first = act(any_store, maker, made.id)
        assert first.state == state
        assert act(any_store, maker, made.id) == first


@pytest.mark.usefixtures("field")
def test_an_act_that_does_not_fit_the_state_is_a_conflict(any_store: Store, maker: User) -> None:
    made = cup(any_store, maker)
    with pytest.raises(Conflict, match="cup is created; only a running tournament can be paused"):
        tournaments.pause(any_store, maker, made.id)
    tournaments.cancel(any_store, maker, made.id)
    for act in (tournaments.start, tournaments.pause, tournaments.rerun_void):
        with pytest.raises(Conflict, match="cancelled"):
            act(any_store, maker, made.id)


@pytest.mark.usefixtures("field")
def test_a_tournament_of_another_engine_does_not_go_on(any_store: Store, maker: User) -> None:
    made = cup(any_store, maker)
    tournaments.start(any_store, maker, made.id)
    tournaments.pause(any_store, maker, made.id)
    with any_store.write() as tx:
        tx.execute(table.update().values(engine_version="0.0.1"))
    with pytest.raises(Conflict, match=r"began under version 0\.0\.1"):
        tournaments.start(any_store, maker, made.id)


@pytest.mark.usefixtures("field")
def test_a_user_runs_only_so_many_at_once(any_store: Store, maker: User) -> None:
    made = [cup(any_store, maker, name=f"cup-{number}") for number in range(6)]
    for tournament in made[:5]:
        tournaments.start(any_store, maker, tournament.id)
    with pytest.raises(QuotaExceeded, match="maker has 5 tournaments running"):
        tournaments.start(any_store, maker, made[5].id)
    assert tournaments.start(any_store, maker, made[4].id).state == "running"
    tournaments.pause(any_store, maker, made[0].id)
    assert tournaments.start(any_store, maker, made[5].id).state == "running"
    with pytest.raises(QuotaExceeded):
        tournaments.start(any_store, maker, made[0].id)


@pytest.mark.usefixtures("field")
def test_an_upgrade_pauses_what_it_left_behind_and_says_why_it_stays(any_store: Store, maker: User) -> None:
    old, own = (tournaments.start(any_store, maker, cup(any_store, maker, name=name).id) for name in ("old", "own"))
    with any_store.write() as tx:
        tx.execute(table.update().where(table.c.id == old.id).values(engine_version="0.0.1"))
        windows.register_worker(
            tx, "w0", {"slots": 1, "engine_version": "0.0.1", "isolation": "A", "seen_at": utc_now()}
        )
    dispatch.tick(any_store, Post())
    assert tournaments.show(any_store, old.id).state == "running"       # its own workers may still finish it
    dispatch.sign_off_worker(any_store, "w0")
    dispatch.tick(any_store, Post())
    assert tournaments.show(any_store, old.id).state == "paused"
    assert tournaments.show(any_store, own.id).state == "running"
    with pytest.raises(Conflict, match=r"began under version 0\.0\.1"):
        tournaments.start(any_store, maker, old.id)


@pytest.mark.usefixtures("field")
def test_a_user_has_only_so_many_that_wait_for_their_start(any_store: Store, maker: User) -> None:
    any_store.settings = replace(any_store.settings, max_created_tournaments=2)
    made = [cup(any_store, maker, name=f"cup-{number}") for number in range(2)]
    with pytest.raises(QuotaExceeded, match="maker has 2 tournaments that wait for their start"):
        cup(any_store, maker, name="third")
    assert not tournaments.list_tournaments(any_store, limit=3).items[2:]
    tournaments.start(any_store, maker, made[0].id)
    cup(any_store, maker, name="third")
    cup(any_store, register(any_store, "other"), name="fourth")


@pytest.mark.usefixtures("field")
def test_a_user_has_only_so_many_matches_to_be_played(any_store: Store, maker: User) -> None:
    any_store.settings = replace(any_store.settings, max_matches_per_user=9)
    paused, running = (cup(any_store, maker, name=name) for name in ("paused", "running"))     # three matches each
    for tournament in (paused, running):
        tournaments.start(any_store, maker, tournament.id)
    dispatch.tick(any_store, Post())            # some of them have rows now, and are counted once
    tournaments.pause(any_store, maker, paused.id)
    with pytest.raises(QuotaExceeded, match="would have 12 matches to be played, and 9 are the most"):
        cup(any_store, maker, name="twice", cycles=2)
    cup(any_store, maker, name="once")
    with pytest.raises(QuotaExceeded):
        cup(any_store, maker, name="again")
    cup(any_store, admin(any_store), name="of-an-admin", cycles=9)
    tournaments.cancel(any_store, maker, paused.id)
    cup(any_store, maker, name="again")


@pytest.mark.usefixtures("field")
def test_the_quota_holds_for_starts_at_one_moment(any_store: Store, maker: User) -> None:
    made = [cup(any_store, maker, name=f"cup-{number}") for number in range(8)]
    refused: list[int] = []

    def begin(tournament_id: int) -> None:
        try:
            tournaments.start(any_store, maker, tournament_id)
        except QuotaExceeded:
            refused.append(tournament_id)

    threads = [threading.Thread(target=begin, args=(tournament.id,)) for tournament in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(refused) == 3


@pytest.mark.usefixtures("field")
def test_leaving_before_the_start_shortens_the_schedule(any_store: Store, maker: User) -> None:
    made = cup(any_store, maker)
    assert tournaments.withdraw(any_store, maker, made.id, "beth").match_count == 1
    assert tournaments.withdraw(any_store, maker, made.id, "beth").match_count == 1
    with pytest.raises(Conflict, match="fewer than two bots; cancel it"):
        tournaments.withdraw(any_store, maker, made.id, "abel")
    with pytest.raises(NotFound, match="'zoe' does not play in cup"):
        tournaments.withdraw(any_store, maker, made.id, "zoe")
    started = tournaments.start(any_store, maker, made.id)
    assert started.match_count == 1
    assert [entrant.bot for entrant in tournaments.entrants(any_store, made.id)] == ["abel", "cora"]


def test_a_bots_owner_may_take_it_out_until_the_start(any_store: Store, field: dict[str, User], maker: User) -> None:
    made = cup(any_store, maker)
    tournaments.withdraw(any_store, field["abel"], made.id, "abel")
    with pytest.raises(Forbidden):
        tournaments.withdraw(any_store, field["abel"], made.id, "beth")
    tournaments.start(any_store, maker, made.id)
    with pytest.raises(Forbidden):
        tournaments.withdraw(any_store, field["beth"], made.id, "beth")


@pytest.mark.usefixtures("field")
def test_lists_are_paged_newest_first_and_by_state(any_store: Store, maker: User) -> None:
    made = [cup(any_store, maker, name=f"cup-{number}") for number in range(5)]
    tournaments.start(any_store, maker, made[1].id)
    first = tournaments.list_tournaments(any_store, limit=2)
    cup(any_store, maker, name="cup-late")
    second = tournaments.list_tournaments(any_store, limit=2, cursor=first.next)
    third = tournaments.list_tournaments(any_store, limit=2, cursor=second.next)
    listed = [tournament.name for page in (first, second, third) for tournament in page.items]
    assert listed == ["cup-4", "cup-3", "cup-2", "cup-1", "cup-0"]
    assert third.next is None
    running = tournaments.list_tournaments(any_store, "running")
    assert [tournament.name for tournament in running.items] == ["cup-1"]
    with pytest.raises(Invalid, match="the states are created, running, paused, finished, cancelled"):
        tournaments.list_tournaments(any_store, "over")
