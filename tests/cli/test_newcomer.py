"""What somebody new is told at the command line: why nothing is rated, what to do next, whose a bot is."""

import json
import shlex
from pathlib import Path

import pytest
from sqlalchemy import update

from arena.services import bots, dispatch
from arena.store.schema import matches
from arena.store.session import Store, utc_now
from tests.cli.conftest import PASSWORD, Arena
from tests.support import field

ONE_OWNER = "Not rated: all its bots have one owner"


@pytest.fixture
def kofi(arena_here: Arena, server: str, store: Store) -> Arena:
    """The command line of kofi, who has two bots of oware; esi has one, too."""
    for name, owner in [("kofi-one", "kofi"), ("kofi-two", "kofi"), ("esi-bot", "esi")]:
        field.add_bot(store, name, owner=owner)
    assert arena_here("login", "kofi", "--server", server, stdin=f"{PASSWORD}\n").returncode == 0
    return arena_here


def play_out(store: Store) -> None:
    moment = field.Moment()
    moment.at = utc_now()
    field.play_out(store, moment)


def test_an_empty_board_says_why_and_blames_nobody(kofi: Arena) -> None:
    done = kofi("leaderboard", "oware")
    assert (done.returncode, done.stdout) == (0, "oware: 0 rated\n")
    assert "Nobody is rated here yet" in done.stderr
    assert "bot of another owner" in done.stderr
    assert "Redis" not in done.stderr


def test_a_board_that_redis_does_not_have_says_so(kofi: Arena, store: Store) -> None:
    kofi("tournament", "create", "cup", "oware", "kofi-one", "esi-bot", "--format", "games-2")
    kofi("tournament", "start", "1")
    play_out(store)
    done = kofi("leaderboard", "oware")
    assert "oware: 2 rated" in done.stdout
    assert "Redis is away or being filled" in done.stderr


def test_an_unrated_tournament_is_told_wherever_it_is_shown(kofi: Arena, store: Store) -> None:
    made = kofi("tournament", "create", "own", "oware", "kofi-one", "kofi-two", "--format", "games-2")
    assert "not rated" in made.stdout
    assert ONE_OWNER in made.stderr
    assert ONE_OWNER in kofi("tournament", "start", "1").stderr
    play_out(store)
    assert ONE_OWNER in kofi("tournament", "show", "1").stderr
    watched = kofi("tournament", "watch", "1")
    assert ONE_OWNER in watched.stderr
    assert "arena leaderboard" not in watched.stderr
    assert json.loads(kofi("tournament", "show", "1", "--json").stdout)["rating_note"].startswith(ONE_OWNER)
    cycles = kofi("tournament", "create", "long", "oware", "all", "--cycles", "3")
    assert "it has 3 cycles" in cycles.stderr


def test_the_next_step_fits_the_state(kofi: Arena, store: Store) -> None:
    words = ("oware", "all", "--format", "games-2")
    assert "Next: `arena tournament start 1`" in kofi("tournament", "create", "cup", *words).stderr
    refused = kofi("tournament", "watch", "1")
    assert (refused.returncode, "has not been started. Run `arena tournament start 1`" in refused.stderr) == (1, True)
    assert "Next: `arena tournament start 1`" in kofi("tournament", "withdraw", "1", "kofi-two").stderr
    assert "Next: `arena tournament watch 1`" in kofi("tournament", "start", "1").stderr
    assert "Next: `arena tournament start 1`" in kofi("tournament", "pause", "1").stderr
    assert "Next: `arena tournament show 1`" in kofi("tournament", "cancel", "1").stderr


def test_a_tournament_goes_by_its_name_too(kofi: Arena, store: Store) -> None:
    kofi("tournament", "create", "cup", "oware", "kofi-one", "esi-bot", "--format", "games-2")
    assert "Tournament 1 (cup" in kofi("tournament", "start", "cup").stdout
    assert "Seed: secret until the end; its SHA-256: " in kofi("tournament", "show", "cup").stdout
    play_out(store)
    ended = json.loads(kofi("tournament", "show", "cup", "--json").stdout)
    seeds = f"Seed: {ended['seed']}; its SHA-256: {ended['seed_hash']}"
    assert seeds in kofi("tournament", "show", "cup").stdout.replace("\n", " ")
    assert "finished, 1 of 1 matches" in kofi("tournament", "watch", "cup").stdout
    assert json.loads(kofi("tournament", "show", "cup", "--json").stdout)["id"] == 1
    assert len(json.loads(kofi("tournament", "matches", "cup", "--json").stdout)) == 1
    for missing in ("cap", "9"):
        assert kofi("tournament", "show", missing).returncode == 1
    assert "no tournament is called 'cap'" in kofi("tournament", "show", "cap").stderr


def test_void_matches_are_played_once_more(kofi: Arena, store: Store) -> None:
    kofi("tournament", "create", "cup", "oware", "kofi-one", "esi-bot", "--format", "games-2")
    kofi("tournament", "start", "1")
    dispatch.tick(store, field.Post())
    assert "No match of it is void." in kofi("tournament", "rerun", "cup").stderr
    with store.write() as tx:
        number: int = tx.execute(update(matches).values(state="void", until=None).returning(matches.c.id)).scalar_one()
    rerun = kofi("tournament", "rerun", "1")
    assert (rerun.returncode, field.state_of(store, number).state) == (0, "due")
    assert "Next: `arena tournament watch 1`" in rerun.stderr
    assert "void" not in rerun.stderr
    with store.write() as tx:
        tx.execute(update(matches).values(state="void", until=None))
    kofi("tournament", "withdraw", "1", "esi-bot")
    assert "those of bots that were withdrawn" in kofi("tournament", "rerun", "1").stderr


def test_the_line_that_is_shown_after_an_export_verifies_it(
    kofi: Arena, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_DATABASE_URL", store.settings.database_url)
    kofi("tournament", "create", "cup", "oware", "kofi-one", "esi-bot", "--format", "games-2")
    kofi("tournament", "start", "cup")
    play_out(store)
    exported = kofi("admin", "export", "my cup.jsonl", "--tournament", "cup")
    line = exported.stderr.partition("Next: `arena ")[2].partition("`")[0]
    assert shlex.split(line) == ["verify", "my cup.jsonl"], exported.stderr
    assert kofi(*shlex.split(line)).returncode == 0


def test_a_bot_of_somebody_else_is_called_so(kofi: Arena, tmp_path: Path) -> None:
    (tmp_path / "esi.py").write_text("def choose_move(position): ...\n")
    for words in ((), ("--game", "oware")):
        done = kofi("submit", "esi.py", "--name", "esi-bot", *words)
        assert done.returncode == 1
        assert "esi-bot belongs to esi, and you are kofi; choose another --name" in done.stderr


def test_a_bot_is_closed_and_opened(kofi: Arena, store: Store) -> None:
    assert kofi("bots", "close", "kofi-one").returncode == 0
    assert not bots.show(store, "kofi-one").is_open
    assert "closed to other people's tournaments" in kofi("bots", "show", "kofi-one").stdout
    assert kofi("bots", "open", "kofi-one").returncode == 0
    assert bots.show(store, "kofi-one").is_open
    assert kofi("bots", "close", "esi-bot").returncode == 1


def test_a_rating_is_explained_match_by_match(kofi: Arena, store: Store) -> None:
    assert "no rated match yet" in kofi("bots", "ratings", "kofi-one").stderr
    kofi("tournament", "create", "cup", "oware", "kofi-one", "esi-bot", "--format", "games-2")
    kofi("tournament", "start", "1")
    play_out(store)
    shown = kofi("bots", "ratings", "kofi-one").stdout
    assert "esi-bot (1500)" in shown
    (change,) = json.loads(kofi("bots", "ratings", "kofi-one", "--json").stdout)
    assert f"{change['after']:.0f}" in shown.split()
    log = kofi("bots", "log", "kofi-one", "--match", str(change["match_id"]))
    assert (log.returncode, "was here" in log.stdout) == (0, True)
    foreign = kofi("bots", "log", "kofi-two", "--match", str(change["match_id"]))
    assert (foreign.returncode, "does not play in match" in foreign.stderr) == (2, True)


def test_tokens_are_made_listed_and_taken_back(kofi: Arena) -> None:
    made = kofi("tokens", "create", "nightly", stdin=f"{PASSWORD}\n").stdout.strip()
    listed = json.loads(kofi("tokens", "list", "--json").stdout)
    (nightly,) = [token for token in listed if token["name"] == "nightly"]
    assert made
    assert made not in kofi("tokens", "list").stdout
    assert kofi("tokens", "revoke", str(nightly["id"])).returncode == 0
    assert nightly not in json.loads(kofi("tokens", "list", "--json").stdout)
