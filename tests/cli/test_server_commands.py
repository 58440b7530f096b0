"""The three jobs at the command line, against a whole arena: submit a bot, run a tournament, read a leaderboard."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.cli.stack import Plan, Stack
from tests.cli.conftest import PASSWORD, Done, run_arena
from tests.support.ports import free_port

pytestmark = [pytest.mark.services, pytest.mark.slow]

GOOD = "import random\n\ndef choose_move(position):\n    return random.choice(position.legal_moves())\n"
RAISES = "def choose_move(position):\n    print('about to fail')\n    raise ValueError('no idea')\n"


class Person:
    """Somebody with a folder, a home and an account."""

    def __init__(self, folder: Path, name: str, stack: Stack) -> None:
        self.folder = folder / name
        self.folder.mkdir()
        self._environment = {"ARENA_SERVER": stack.url, "ARENA_PASSWORD": PASSWORD}
        self.does("login", name, "--register")

    def tries(self, *words: str) -> Done:
        return run_arena(self.folder, *words, env=self._environment)

    def does(self, *words: str) -> Done:
        done = self.tries(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    def asks(self, *words: str) -> Any:
        return json.loads(self.does(*words, "--json").stdout)

    def submits(self, source: str, name: str, *words: str) -> Done:
        file = self.folder / f"{name}.py"
        file.write_text(source)
        return self.tries("submit", str(file), *words)


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack(Plan(tmp_path_factory.mktemp("arena"), free_port(), 2), print) as running:
        yield running


@pytest.fixture(scope="module")
def kofi(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Person:
    person = Person(tmp_path_factory.mktemp("people"), "kofi", stack)
    assert person.submits(GOOD, "kofi-bot", "--game", "oware").returncode == 0
    return person


@pytest.fixture(scope="module")
def ama(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Person:
    person = Person(tmp_path_factory.mktemp("people"), "ama", stack)
    assert person.submits(GOOD, "ama-bot", "--game", "oware").returncode == 0
    return person


def test_a_bot_that_fails_is_rejected_with_reason_and_log(kofi: Person) -> None:
    done = kofi.submits(RAISES, "failing", "--game", "urim")

    assert done.returncode == 1
    assert "failing version 1 was rejected: exception" in done.stdout
    assert "| about to fail" in done.stderr
    assert kofi.asks("bots", "show", "failing")["versions"][0]["state"] == "rejected"
    assert "about to fail" in kofi.does("bots", "log", "failing").stdout


def test_a_mended_bot_becomes_active_as_the_next_version(kofi: Person) -> None:
    assert kofi.submits(RAISES, "mended", "--game", "anywoli").returncode == 1
    done = kofi.submits(GOOD, "mended", "--json")

    assert done.returncode == 0, done.stderr
    assert {key: json.loads(done.stdout)[key] for key in ("bot", "number", "state")} == {
        "bot": "mended",
        "number": 2,
        "state": "active",
    }


def test_a_tournament_from_creation_to_leaderboard_and_record(kofi: Person, ama: Person) -> None:
    made = kofi.asks(
        "tournament", "create", "cup", "oware", "kofi-bot", "ama-bot", "--cycles", "2", "--format", "games-2"
    )
    assert (made["state"], made["match_count"], made["is_rated"]) == ("created", 2, True)
    number = str(made["id"])

    kofi.does("tournament", "start", number)
    watched = ama.does("tournament", "watch", number)
    assert f"Tournament {number} (cup, oware, games-2): finished, 2 of 2 matches" in watched.stdout

    shown = kofi.asks("tournament", "show", number)
    assert {line["bot"] for line in shown["standings"]} == {"kofi-bot", "ama-bot"}
    assert len(shown["crosstable"]["cells"]) == 2

    board = ama.asks("leaderboard", "oware")
    assert {line["bot"]: line["matches"] for line in board["items"]} == {"kofi-bot": 2, "ama-bot": 2}
    assert "oware: 2 rated" in ama.does("leaderboard", "oware", "--around", "ama-bot").stdout
    assert ama.asks("leaderboard")[0]["ruleset"] == "oware"

    matches = kofi.asks("tournament", "matches", number)
    first = str(matches[0]["id"])
    assert "in 2 games" in kofi.does("match", first).stdout
    record = json.loads(kofi.does("match", first, "--record", "--json").stdout)
    assert (record["ruleset"], len(record["games"])) == ("oware", 2)
    assert "kofi-bot" in kofi.does("match", first, "--record").stdout
    timing = kofi.does("match", first, "--timing").stdout
    assert "slowest turns" in timing
    assert "waited" in timing


def test_a_tournament_is_paused_and_cancelled_by_its_maker_alone(kofi: Person, ama: Person) -> None:
    words = ("oware", "kofi-bot", "ama-bot", "--cycles", "20", "--format", "games-100", "--seed", "known")
    number = str(kofi.asks("tournament", "create", "long-cup", *words)["id"])
    kofi.does("tournament", "start", number)

    refused = ama.tries("tournament", "cancel", number)
    assert refused.returncode == 1
    assert "kofi" in refused.stderr or "may" in refused.stderr
    assert kofi.asks("tournament", "pause", number)["state"] == "paused"
    assert kofi.asks("tournament", "cancel", number)["state"] == "cancelled"
    assert kofi.asks("tournament", "show", number)["is_rated"] is False
    assert int(number) in [one["id"] for one in ama.asks("tournament", "list")]


def test_a_retired_bot_is_gone_from_the_list_of_those_that_play(kofi: Person) -> None:
    assert kofi.submits(GOOD, "short-lived", "--game", "nsolo").returncode == 0
    kofi.does("bots", "retire", "short-lived")

    assert "retired" in kofi.does("bots", "show", "short-lived").stdout
    refused = kofi.tries("tournament", "create", "late-cup", "nsolo", "short-lived", "kofi-bot")
    assert refused.returncode in (1, 2)


def test_who_am_i(kofi: Person, stack: Stack) -> None:
    assert kofi.does("whoami").stdout == f"kofi at {stack.url}\n"


def test_ratings_folded_again_agree_with_the_ledger(kofi: Person, ama: Person, stack: Stack) -> None:
    environment = {"ARENA_DATA_DIR": str(stack.settings.data_dir), "ARENA_REDIS_URL": stack.settings.redis_url}
    done = run_arena(kofi.folder, "admin", "rebuild", "--dry-run", "--json", env=environment)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["is_exact"] is True


def test_an_admin_is_made_on_the_servers_machine(kofi: Person, stack: Stack) -> None:
    environment = {"ARENA_DATA_DIR": str(stack.settings.data_dir), "ARENA_PASSWORD": PASSWORD}
    assert run_arena(kofi.folder, "admin", "migrate", env=environment).returncode == 0
    assert run_arena(kofi.folder, "admin", "create-admin", "chief", env=environment).returncode == 0
    again = run_arena(kofi.folder, "admin", "create-admin", "chief", env=environment)

    assert (again.returncode, "chief" in again.stderr) == (1, True)
