"""`arena bots failures`: the owner of a bot reads why and where it failed, and nobody else does."""

import json
from pathlib import Path

from sqlalchemy import select, update

from arena.store.schema import bots, users
from arena.store.session import Store
from tests.cli.conftest import PASSWORD, Arena
from tests.match.played import forfeited_record
from tests.support.finished import add_match

FIRST, SECOND = forfeited_record().bots
PRINTED = "thinking hard\n\x1b[31mTraceback of the first\n"


def test_the_owner_alone_reads_why_a_bot_failed(server: str, store: Store, arena: Arena, tmp_path: Path) -> None:
    match = add_match(store, forfeited_record(), (PRINTED, "of the second"))
    with store.write() as tx:
        kofi = select(users.c.id).where(users.c.name == "kofi").scalar_subquery()
        tx.execute(update(bots).where(bots.c.name == FIRST.name).values(owner_id=kofi))
    shell = {"ARENA_SERVER": server, "ARENA_PASSWORD": PASSWORD}
    assert arena("login", "kofi", env=shell).returncode == 0

    told = arena("bots", "failures", FIRST.name, env=shell)
    assert told.returncode == 0, told.stderr
    assert f"Match {match}, game 1, against {SECOND.name}: exception: ZeroDivisionError: [1, 2]" in told.stdout
    assert "for the turn and" in told.stdout
    assert "and used 5.0 ms" in told.stdout
    assert "  | thinking hard\n" in told.stdout
    assert "Traceback of the first" in told.stdout
    assert "\x1b" not in told.stdout
    as_json = json.loads(arena("bots", "failures", FIRST.name, "--json", env=shell).stdout)
    assert [item["kind"] for item in as_json["items"]] == ["exception"]

    foreign = arena("bots", "failures", SECOND.name, env=shell)
    assert foreign.returncode == 1
    assert "of the second" not in foreign.stdout + foreign.stderr
