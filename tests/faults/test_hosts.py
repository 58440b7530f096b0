"""Workers on several machines around one database: a cable is pulled in the middle of a tournament, and put back."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from arena.services import dispatch
from arena.store.schema import attempts
from tests.faults import checks, cups, hosts
from tests.faults.cups import Cup, Pace
from tests.faults.hosts import Host
from tests.faults.rig import LEASE_SECONDS, SLOTS, Rig
from tests.support.processes import eventually
from tests.support.redis_server import is_installed

pytestmark = [
    pytest.mark.services, pytest.mark.slow, pytest.mark.timeout(600),
    pytest.mark.skipif(not is_installed(), reason="redis-server is not installed"),
]

ENTRANTS = 7
WORKERS = {"north": 2, "south": 1}          # beside the two slots of the machine that has the servers


@pytest.fixture
def fleet(on_postgresql: Rig, tmp_path: Path, image_folder: Path) -> Iterator[dict[str, Host]]:
    """Two more hosts with their workers."""
    if reason := hosts.why_not():
        pytest.skip(reason)
    rig = on_postgresql
    assert rig.server is not None
    redis_url, sql_url = rig.stack.redis_itself, rig.server
    credentials = redis_url.partition("@")[0]
    environment = {
        "ARENA_REDIS_URL": credentials + "@{host}:{port}/0",
        "ARENA_DATABASE_URL": "postgresql://arena@{host}:{port}/" + sql_url.rpartition("/")[2],
        "ARENA_SANDBOX_DIR": str(image_folder),
        "ARENA_LEASE_SECONDS": str(LEASE_SECONDS),
    }
    servers = {"ARENA_REDIS_URL": _place_of(redis_url), "ARENA_DATABASE_URL": _place_of(sql_url)}
    with ExitStack() as running:
        made = {}
        for number, (name, count) in enumerate(WORKERS.items(), 1):
            made[name] = running.enter_context(hosts.host(number, name))
            data = {"ARENA_DATA_DIR": str(tmp_path / name)}
            running.enter_context(hosts.workers(made[name], count, servers, environment | data, tmp_path / name))
        slots = SLOTS + sum(WORKERS.values())
        eventually(lambda: dispatch.live_slots(rig.store) == slots, 120, "all workers are there")
        yield made


def test_a_host_is_cut_off_and_comes_back(on_postgresql: Rig, fleet: dict[str, Host]) -> None:
    rig = on_postgresql
    cup = cups.begin(rig.store, "cable", Pace(pause_ms=10), ENTRANTS)
    eventually(lambda: len(_leased_on(rig, cup, "north")) == 2, 60, "the host plays two matches")
    fleet["north"].pull_cable()
    cut_off = _leased_on(rig, cup, "north")
    eventually(lambda: _passed_on(rig, cut_off), 60, "others play its matches")
    fleet["north"].plug_in()
    checks.assert_as_if_undisturbed(rig, cup)
    assert {"south", os.uname().nodename} <= {_host_of(row) for row in cups.match_rows_of(rig.store, cup)}
    again = cups.begin(rig.store, "again", Pace(), ENTRANTS)
    checks.assert_as_if_undisturbed(rig, again)
    assert "north" in {_host_of(row) for row in cups.match_rows_of(rig.store, again)}, "the host plays again"


def _place_of(url: str) -> tuple[str, int]:
    host, _, port = url.rpartition("@")[2].partition("/")[0].partition(":")
    return host, int(port)


def _host_of(row: Any) -> str:
    return str(row.worker).partition(":")[0]


def _leased_on(rig: Rig, cup: Cup, name: str) -> list[Any]:
    return [row for row in cups.match_rows_of(rig.store, cup) if row.state == "leased" and _host_of(row) == name]


def _passed_on(rig: Rig, cut_off: list[Any]) -> bool:
    """Whether every one of these matches has a later attempt on another host."""
    with rig.store.read() as tx:
        later = [
            tx.scalar(
                select(attempts.c.worker)
                .where(attempts.c.match_id == row.id, attempts.c.number > row.attempt)
                .order_by(attempts.c.number)
            )
            for row in cut_off
        ]
    return all(worker is not None and not worker.startswith("north:") for worker in later)
