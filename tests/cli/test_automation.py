"""Schedules at the command line; and what an operator does on the server's machine: ban, and prepare what stands."""

import json
from pathlib import Path

import pytest

from arena.services import accounts, bots, moderation, recurring
from arena.store.session import Store
from tests.cli.conftest import CHEAP, PASSWORD, Arena, run_arena
from tests.support import field
from tests.support.ports import free_port


@pytest.fixture
def signed_in(arena_here: Arena, server: str, store: Store) -> Arena:
    """The command line of kofi, signed in to a server with three bots."""
    for name in ("alpha", "beta", "gamma"):
        field.add_bot(store, name)
    assert arena_here("login", "kofi", "--server", server, stdin=f"{PASSWORD}\n").returncode == 0
    return arena_here


def test_a_schedule_is_added_listed_and_removed(signed_in: Arena) -> None:
    words = ("evening", "oware", "all", "--every", "day", "--at", "18:30", "--zone", "Africa/Accra")
    added = signed_in("tournament", "schedule", "add", *words)
    assert added.returncode == 0, added.stderr
    assert "Schedule 1 (evening, oware): day at 18:30 Africa/Accra; next 20" in added.stdout
    listed = signed_in("tournament", "schedule", "list")
    assert "evening" in listed.stdout
    (found,) = json.loads(signed_in("tournament", "schedule", "list", "--json").stdout)
    assert (found["bots"], found["every"], found["zone"]) == (None, "day", "Africa/Accra")
    for _ in range(2):
        assert signed_in("tournament", "schedule", "remove", "1").returncode == 0
    assert "No schedules" in signed_in("tournament", "schedule", "list").stderr


def test_bots_are_named_and_terms_given(signed_in: Arena) -> None:
    words = ("league", "oware", "alpha", "beta", "--every", "thu,mon", "--at", "09:00", "--format", "games-4")
    made = json.loads(signed_in("tournament", "schedule", "add", *words, "--cycles", "2", "--json").stdout)
    assert (made["bots"], made["every"], made["format"], made["cycles"]) == (["alpha", "beta"], "mon,thu", "games-4", 2)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("cup", "oware", "all", "--every", "month", "--at", "18:30"), "'month' is no rhythm; say day, week"),
        (("cup", "oware", "all", "--every", "day", "--at", "6 pm"), "write it as 18:30"),
        (("cup", "oware", "all", "--every", "day", "--at", "18:30", "--zone", "Accra"), "'Accra' is no time zone"),
        (("cup", "oware", "alpha", "--every", "day", "--at", "18:30"), "1 bot; a tournament has 2"),
    ],
)
def test_what_cannot_be_scheduled_is_told_in_a_sentence(signed_in: Arena, words: tuple[str, ...], says: str) -> None:
    done = signed_in("tournament", "schedule", "add", *words)
    assert done.returncode == 2
    assert says in done.stderr


def test_an_operator_bans_a_bot_and_a_user(tmp_path: Path, store: Store) -> None:
    field.add_bot(store, "alpha", owner="kwame")
    field.add_bot(store, "kwame", owner="kwame")
    where = {"ARENA_DATABASE_URL": store.settings.database_url, "ARENA_REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    done = run_arena(tmp_path, "admin", "ban", "alpha", env=where)
    assert (done.returncode, "The bot alpha is banned." in done.stderr) == (0, True), done.stderr
    assert bots.show(store, "alpha").banned_at is not None
    unclear = run_arena(tmp_path, "admin", "ban", "kwame", env=where)
    assert (unclear.returncode, "kwame is a bot and a user" in unclear.stderr) == (2, True)
    for _ in range(2):
        assert run_arena(tmp_path, "admin", "ban", "kwame", "--user", env=where).returncode == 0
    assert bots.show(store, "kwame").banned_at is not None
    assert run_arena(tmp_path, "admin", "ban", "nobody", env=where).returncode == 1


def test_migrating_prepares_the_standing_events_where_they_are_wanted(tmp_path: Path, store: Store) -> None:
    where = {"ARENA_DATABASE_URL": store.settings.database_url}
    assert run_arena(tmp_path, "admin", "migrate", env=where).returncode == 0
    assert bots.list_bots(store).items == ()
    for _ in range(2):
        done = run_arena(tmp_path, "admin", "migrate", env=where | {"ARENA_STANDING_TOURNAMENTS": "true"})
        assert done.returncode == 0, done.stderr
    assert len(bots.list_bots(store, owner="arena", limit=200).items) == 15
    assert len(recurring.list_schedules(store).items) == 5


def test_a_banned_user_cannot_log_in(arena_here: Arena, server: str, store: Store) -> None:
    accounts.register(store, "mallory", PASSWORD, cost=CHEAP)
    moderation.ban_user(store, "mallory")
    done = arena_here("login", "mallory", "--server", server, stdin=f"{PASSWORD}\n")
    assert done.returncode == 1
    assert "mallory is banned" in done.stderr
