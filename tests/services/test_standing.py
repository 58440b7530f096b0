"""Standing round robins: a new bot gets a rating without anybody's doing."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from arena import games
from arena.errors import NameTaken
from arena.services import bots, dispatch, leaderboards, recurring, samples, standing, tournaments
from arena.store.accounts import User
from arena.store.schema import schedules
from arena.store.session import Store, utc_now
from tests.support import field
from tests.support.field import Moment, Post
from tests.support.people import SOURCE, active_bots, admin, qualify, register, submit


@pytest.fixture
def arena(any_store: Store) -> Store:
    """Prepared, and the setting on; its reference bots have still to qualify."""
    any_store.settings = replace(any_store.settings, standing_tournaments=True)
    standing.prepare(any_store)
    return any_store


@pytest.fixture
def moment() -> Moment:
    """The present: versions are submitted and decided now."""
    now = Moment()
    now.at = utc_now()
    return now


def names(store: Store) -> list[str]:
    return sorted(tournament.name for tournament in tournaments.list_tournaments(store, limit=200).items)


def board(store: Store, game: str = "oware") -> list[str]:
    return sorted(entry.bot for entry in leaderboards.page(store, game).entries)


def retire_all_but(store: Store, game: str) -> None:
    """One game is enough for most tests, and much quicker."""
    for other in set(games.names()) - {game}:
        for sample in samples.names():
            bots.retire(store, admin_of(store), standing.bot_name(sample, other))


def admin_of(store: Store) -> User:
    try:
        return admin(store)
    except NameTaken:
        with store.read() as tx:
            found = standing.accounts.rows.find_user(tx, "judge")
        assert found is not None
        return found


def test_the_reference_bots_of_every_game_are_submitted_once(arena: Store) -> None:
    expected = sorted(f"arena-{sample}-{game}" for sample in samples.names() for game in games.names())
    assert sorted(bot.name for bot in bots.list_bots(arena, owner="arena", limit=200).items) == expected
    standing.prepare(arena)
    assert {bot.latest_version for bot in bots.list_bots(arena, owner="arena", limit=200).items} == {1}
    assert bots.version(arena, "arena-greedy-nsolo", 1).state == "checking"
    assert len(recurring.list_schedules(arena, limit=200).items) == len(games.names())


def test_a_changed_sample_is_submitted_again(arena: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    source = samples.source
    monkeypatch.setattr(samples, "source", lambda name: source(name) + (b"# better\n" if name == "greedy" else b""))
    for _ in range(2):
        standing.prepare(arena)
    assert bots.show(arena, "arena-greedy-oware").latest_version == 2
    assert bots.show(arena, "arena-random-oware").latest_version == 1


def test_nothing_begins_without_two_bots_or_without_the_setting(store: Store, moment: Moment) -> None:
    standing.prepare(store)
    qualify(store)
    dispatch.tick(store, Post(), moment)
    assert names(store) == []
    store.settings = replace(store.settings, standing_tournaments=True)
    retire_all_but(store, "oware")
    for sample in samples.names()[1:]:
        bots.retire(store, admin_of(store), standing.bot_name(sample, "oware"))
    for _ in range(3):
        dispatch.tick(store, Post(), moment)
    assert names(store) == []
    assert {each.problem for each in recurring.list_schedules(store).items} == {None}


def test_every_game_has_its_event_as_soon_as_its_bots_are_active(arena: Store, moment: Moment) -> None:
    qualify(arena)
    dispatch.tick(arena, Post(), moment)
    assert names(arena) == sorted(f"standing-{game}-1" for game in games.names())
    for event in tournaments.list_tournaments(arena).items:
        assert (event.owner, event.state, event.is_rated, event.match_count) == ("arena", "running", True, 3)
        assert event.ruleset == games.load(event.ruleset).name


def test_a_new_bot_gets_a_rating_without_anybodys_doing(arena: Store, moment: Moment) -> None:
    retire_all_but(arena, "oware")
    field.play_out(arena, moment)
    assert names(arena) == ["standing-oware-1"]
    submit(arena, register(arena, "ama"), "newcomer")
    field.play_out(arena, moment)
    assert bots.show(arena, "newcomer").active_version == 1
    assert names(arena) == ["standing-oware-1", "standing-oware-2"]
    assert board(arena) == sorted([*(standing.bot_name(sample, "oware") for sample in samples.names()), "newcomer"])


def test_a_new_version_begins_the_next_event_after_the_running_one(arena: Store, moment: Moment) -> None:
    owners = active_bots(arena, ["abel", "beth"])
    retire_all_but(arena, "oware")
    dispatch.tick(arena, Post(), moment)
    for number in (2, 3):
        bots.submit_version(arena, owners["abel"], "abel", "bot.py", SOURCE + b"#%d\n" % number)
        qualify(arena)
        dispatch.tick(arena, Post(), moment)
    assert names(arena) == ["standing-oware-1"]
    field.play_out(arena, moment)
    assert names(arena) == ["standing-oware-1", "standing-oware-2"]
    last = tournaments.list_tournaments(arena).items[0]
    assert {each.bot: each.version for each in tournaments.entrants(arena, last.id)}["abel"] == 3


def test_without_anything_new_the_next_event_is_a_week_later(arena: Store, moment: Moment) -> None:
    retire_all_but(arena, "oware")
    field.play_out(arena, moment)
    schedules = {each.name: each for each in recurring.list_schedules(arena).items}
    due: datetime = schedules["standing-oware"].next_at
    assert timedelta() < due - moment.at <= timedelta(days=7)
    moment.at = due
    dispatch.tick(arena, Post(), moment)
    assert names(arena) == ["standing-oware-1", "standing-oware-2"]


def test_an_event_waits_a_minute_for_those_who_are_being_checked(arena: Store, moment: Moment) -> None:
    active_bots(arena, ["abel", "beth"])
    retire_all_but(arena, "oware")
    submit(arena, register(arena, "ama"), "newcomer")
    dispatch.tick(arena, Post(), moment)
    assert names(arena) == []
    moment.pass_seconds(62)
    dispatch.tick(arena, Post(), moment)
    assert names(arena) == ["standing-oware-1"]


def test_closed_and_retired_bots_are_not_entered(arena: Store, moment: Moment) -> None:
    owners = active_bots(arena, ["abel", "beth", "cora"])
    retire_all_but(arena, "oware")
    for sample in samples.names():
        bots.retire(arena, admin_of(arena), standing.bot_name(sample, "oware"))
    bots.set_open(arena, owners["abel"], "abel", False)
    dispatch.tick(arena, Post(), moment)
    (event,) = tournaments.list_tournaments(arena).items
    assert [entrant.bot for entrant in tournaments.entrants(arena, event.id)] == ["beth", "cora"]


def test_an_admin_may_end_a_standing_event_for_good(arena: Store, moment: Moment) -> None:
    qualify(arena)
    for each in recurring.list_schedules(arena).items:
        recurring.end(arena, admin_of(arena), each.id)
    standing.prepare(arena)
    dispatch.tick(arena, Post(), moment)
    assert names(arena) == []


def test_names_of_reference_bots_are_not_for_others(store: Store) -> None:
    with pytest.raises(NameTaken, match="one of our own"):
        submit(store, register(store, "ama"), "arena-random-oware")


def test_one_of_an_unknown_ruleset_stops_no_other_schedule(store: Store, moment: Moment) -> None:
    store.settings = replace(store.settings, standing_tournaments=True)
    active_bots(store, ("abel", "beth"))
    standing.prepare(store)
    made = recurring.create(
        store, register(store, "maker"), name="daily", ruleset="oware", bots=["abel", "beth"], every="day", at="18:00",
        now=moment,
    )
    with store.write() as tx:
        tx.execute(schedules.update().where(schedules.c.is_standing).values(ruleset="oware:forgotten=1"))
    moment.at = made.next_at
    recurring.begin_due(store, moment)
    assert "daily-1" in names(store)
