"""`arena admin export` and `arena verify`: there and back, and what is said of a file that does not hold."""

import json
import random
from pathlib import Path

import pytest

from arena.store.session import Store
from tests.cli.conftest import Arena
from tests.support.archive import history, play_out
from tests.support.cup import NAMES, started
from tests.support.people import active_bots, register

FLIPS = 20


@pytest.fixture
def served(store: Store, arena_here: Arena, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Arena:
    """The command line of an operator, on whose database a cup was played and a league is being played."""
    active_bots(store, NAMES)
    maker = register(store, "maker")
    started(store, maker)
    play_out(store)
    started(store, maker, name="league")
    play_out(store, 1)

    def run(*words: str) -> object:
        monkeypatch.setenv("ARENA_DATABASE_URL", store.settings.sqlalchemy_url)
        return arena_here(*words)

    return run      # type: ignore[return-value]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "cup.jsonl"
    path.write_bytes(history().cup)
    return path


def test_what_was_exported_holds(served: Arena, tmp_path: Path) -> None:
    exported = served("admin", "export", "cup.jsonl", "--tournament", "cup")
    assert exported.returncode == 0, exported.stderr
    assert "arena verify cup.jsonl" in exported.stderr
    verified = served("verify", "cup.jsonl")
    assert verified.returncode == 0, verified.stderr
    assert verified.stdout.startswith("cup.jsonl holds: tournament cup, 6 matches, 12 games")
    assert verified.stdout.splitlines()[-1] == exported.stdout.splitlines()[-1]
    assert [path.name for path in tmp_path.iterdir() if path.suffix in (".jsonl", ".part")] == ["cup.jsonl"]


def test_a_whole_ruleset_as_json(served: Arena) -> None:
    exported = json.loads(served("admin", "export", "all.jsonl", "--ruleset", "oware", "--json").stdout)
    assert (exported["tournaments"], exported["matches"], exported["running"]) == (2, 7, ["league"])
    proof = json.loads(served("verify", "all.jsonl", "--json").stdout)
    assert proof["is_good"]
    assert proof["fingerprint"] == exported["fingerprint"]
    seeds = {seen["name"]: seen["is_seed_shown"] for seen in proof["tournaments"]}
    assert seeds == {"cup": True, "league": False}
    assert any("league is running" in sentence for sentence in proof["unproven"])


def test_one_byte_flipped_at_random_places_is_told_with_line_and_check(arena_here: Arena, archive: Path) -> None:
    whole, dice = archive.read_bytes(), random.Random(5)
    for place in dice.sample(range(len(whole)), FLIPS):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << dice.randrange(8)
        archive.write_bytes(damaged)
        line = whole.count(b"\n", 0, place) + 1
        told = arena_here("verify", "cup.jsonl")
        assert (told.returncode, told.stdout) == (1, "")
        assert f"cup.jsonl, line {line} does not hold (" in told.stderr
        found = json.loads(arena_here("verify", "cup.jsonl", "--json").stdout)
        assert (found["is_good"], found["line"], found["check"] in ("chain", "form")) == (False, line, True)
    archive.write_bytes(whole)
    assert arena_here("verify", "cup.jsonl").returncode == 0


@pytest.mark.parametrize("name", ["nowhere.jsonl", "."])
def test_what_is_no_file_is_a_matter_of_usage(arena_here: Arena, name: str) -> None:
    told = arena_here("verify", name)
    assert told.returncode == 2
    assert "arena admin export" in told.stderr


def test_an_archive_is_read_from_standard_input_when_that_is_asked_for(arena: Arena) -> None:
    told = arena("verify", "-", stdin=history().cup.decode())
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("standard input holds: tournament cup")
    told = arena("verify", "-", stdin="hello\n")
    assert (told.returncode, told.stdout) == (1, "")
    assert "error: standard input, line 1 does not hold (form)" in told.stderr
    assert json.loads(arena("verify", "-", "--json", stdin="hello\n").stdout)["file"] == "-"


@pytest.mark.parametrize("content", [b"", b"hello\n", b'{"kind":"header"}\n'])
def test_what_is_no_archive_does_not_hold(arena_here: Arena, archive: Path, content: bytes) -> None:
    archive.write_bytes(content)
    told = arena_here("verify", "cup.jsonl")
    assert told.returncode == 1
    assert "line 1 does not hold (form)" in told.stderr


def test_no_file_is_replaced_unless_told_to(served: Arena, tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl"
    path.write_text("mine")
    told = served("admin", "export", "cup.jsonl", "--tournament", "cup")
    assert (told.returncode, path.read_text()) == (2, "mine")
    assert "--force" in told.stderr
    assert served("admin", "export", "cup.jsonl", "--tournament", "cup", "--force").returncode == 0
    assert served("verify", "cup.jsonl").returncode == 0


FAILURES: dict[tuple[str, ...], int] = {
    (): 2,
    ("--tournament", "cup", "--ruleset", "oware"): 2,
    ("--tournament", "cop"): 1,
    ("--ruleset", "chess"): 2,
    ("--ruleset", "nsolo"): 1,
}


def test_a_failed_export_leaves_no_file(served: Arena, tmp_path: Path) -> None:
    for words, code in FAILURES.items():
        told = served("admin", "export", "out.jsonl", *words)
        assert told.returncode == code, words
        assert told.stderr.startswith("error: ")
        assert [path.name for path in tmp_path.iterdir() if "jsonl" in path.name] == []


def test_a_folder_that_is_not_there_is_told(served: Arena) -> None:
    told = served("admin", "export", "no/where/cup.jsonl", "--tournament", "cup")
    assert told.returncode == 2
    assert "cannot be written" in told.stderr
