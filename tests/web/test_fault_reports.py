"""A fault, as its owner sees it and as everybody else does: real bots, real matches, the real API."""

from typing import Any

import pytest
from sqlalchemy import update

from arena.games import load, notation
from arena.match.record_types import MatchPlayed
from arena.sandbox.player import open_unsafe_player
from arena.store.schema import bots, users
from arena.store.session import Store
from tests.sandbox.bots import FIRST_LEGAL, play
from tests.support.finished import add_match
from tests.web.conftest import Person

SECRET = "a line of the secret plan"
FAULTS = {
    "illegal_move": ("return 99", "99"),
    "timeout": ("while True: pass", "there was no answer within 300 ms"),
    "exception": ("raise ValueError('the secret plan itself')", "ValueError (bot.py, line 6)"),
    "crash": ("import os; os._exit(7)", "exit code 7"),
    "memory": ("raise MemoryError", "MemoryError (bot.py, line 6)"),
    "output": ("while True: print('x' * 10_000)", "more than 1024 KB"),
    "protocol": ("return []", "an empty list of moves"),
}
UNLOADED = f"print({SECRET!r})\nraise ValueError('the secret plan itself')"


def bot_that(fails: str) -> bytes:
    """In its second turn, after it has printed something."""
    return f"""turns = []
def choose_move(position):
    turns.append(1)
    if len(turns) > 1:
        print({SECRET!r})
        {fails}
    return position.legal_moves()[0]
""".encode()


def added(store: Store, played: MatchPlayed) -> int:
    """The match in the database; the first bot is ama's, the second kofi's."""
    number = add_match(store, played.record, played.logs)
    with store.write() as tx:
        for bot, owner in (("first", "ama"), ("second", "kofi")):
            found = users.select().where(users.c.name == owner).with_only_columns(users.c.id).scalar_subquery()
            tx.execute(update(bots).where(bots.c.name == bot).values(owner_id=found))
    return number


def seen_by(person: Person, match: int) -> str:
    """All that somebody can read of a match and of the bot that failed in it."""
    paths = (f"/matches/{match}", f"/matches/{match}/games/1", f"/matches/{match}/record",
             f"/matches/{match}/logs/first", "/bots/first", "/bots/first/failures", "/bots/first/matches",
             "/bots/first/versions")
    return "".join(person.get(path).get_data(as_text=True) for path in paths)


def failures(person: Person) -> list[dict[str, Any]]:
    answer = person.get("/bots/first/failures")
    assert answer.status_code == 200
    items: list[dict[str, Any]] = answer.json["items"]
    return items


@pytest.mark.parametrize("kind", list(FAULTS))
def test_the_owner_is_told_everything_of_a_fault(store: Store, owner: Person, other: Person, kind: str) -> None:
    fails, words = FAULTS[kind]
    played = play(open_unsafe_player, (bot_that(fails), FIRST_LEGAL), control="200+100")
    match = added(store, played)
    first = failures(owner)[-1]
    assert (first["match_id"], first["game"], first["opponent"], first["kind"]) == (match, 1, "second", kind)
    assert words in first["message"]
    assert first["ply"] == 2
    assert notation.parse_position(first["position"]).play is not None
    assert notation.parse_position(first["position"]).rules == load("oware")
    assert first["turn_us"] == 200_000
    assert 0 < first["bank_us"] <= 100_000
    assert first["used_us"] >= 0
    assert any(SECRET in line for line in first["last_lines"]) or kind == "output"


@pytest.fixture
def outsiders(other: Person, nobody: Person, admin: Person) -> list[Person]:
    return [other, nobody, admin]


@pytest.mark.parametrize("kind", list(FAULTS))
def test_everybody_else_is_told_the_kind_of_a_fault_and_nothing_the_bot_said(
    store: Store, owner: Person, outsiders: list[Person], kind: str
) -> None:
    match = added(store, play(open_unsafe_player, (bot_that(FAULTS[kind][0]), FIRST_LEGAL), control="200+100"))
    assert SECRET in seen_by(owner, match) or kind == "output"
    for person in outsiders:
        assert person.get(f"/matches/{match}/games/1").json["verdict"]["kind"] == kind
        assert "secret plan" not in seen_by(person, match)
    statuses = {person.name: person.get("/bots/first/failures").status_code for person in outsiders}
    assert statuses == {"kofi": 403, "": 401, "judge": 403}


def test_a_bot_that_does_not_load_tells_its_owner_alone_why(store: Store, owner: Person, other: Person) -> None:
    match = added(store, play(open_unsafe_player, (UNLOADED.encode(), FIRST_LEGAL)))
    (failure,) = failures(owner)
    assert (failure["kind"], failure["message"], failure["is_loading"]) == ("load", "ValueError (bot.py, line 2)", True)
    assert failure["last_lines"][0] == SECRET
    assert failure["last_lines"][-1] == "ValueError: the secret plan itself"
    assert "secret plan" not in seen_by(other, match)
