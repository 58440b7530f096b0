"""Schedules over HTTP: make one, look at it, end it."""

from dataclasses import replace
from typing import Any

import pytest

from arena.services import recurring, standing
from arena.store.session import Store
from tests.support import field
from tests.web.conftest import Person

BOTS = ["alpha", "beta", "gamma"]


@pytest.fixture(autouse=True)
def bots(store: Store, owner: Person) -> None:
    for name in BOTS:
        field.add_bot(store, name)


def daily(**changes: Any) -> dict[str, Any]:
    return {"name": "daily", "ruleset": "OWARE", "bots": BOTS, "every": "day", "at": "18:30", **changes}


def test_a_schedule_is_made_shown_and_listed(owner: Person, nobody: Person) -> None:
    answer = owner.post("/schedules", json=daily(every="thu,mon", zone="Africa/Accra", format="games-2"))
    assert answer.status_code == 201
    made = answer.json
    assert answer.headers["Location"] == f"/api/v1/schedules/{made['id']}"
    assert (made["name"], made["owner"], made["ruleset"], made["bots"]) == ("daily", "ama", "oware", BOTS)
    assert (made["every"], made["at"], made["zone"]) == ("mon,thu", "18:30", "Africa/Accra")
    assert (made["format"], made["time_control"], made["is_standing"]) == ("games-2", "quick", False)
    assert made["next_at"].endswith("T18:30:00.000Z")
    assert (made["last_tournament"], made["problem"], made["ended_at"]) == (None, None, None)
    assert nobody.get(f"/schedules/{made['id']}").json == made
    assert nobody.get("/schedules").json == {"items": [made], "next": None}
    assert nobody.get("/schedules?owner=ama").json["items"] == [made]


def test_what_it_begins_is_found(store: Store, owner: Person) -> None:
    made = owner.post("/schedules", json=daily(bots="all")).json
    moment = field.Moment()
    moment.at = recurring.show(store, made["id"]).next_at
    recurring.begin_due(store, moment)
    found = owner.get(f"/schedules/{made['id']}").json
    begun = owner.get(f"/tournaments/{found['last_tournament']}").json
    assert (made["bots"], begun["name"], begun["state"], begun["match_count"]) == (None, "daily-1", "running", 3)


def test_only_its_owner_or_an_admin_ends_it_and_twice_is_once(owner: Person, other: Person, admin: Person) -> None:
    made = owner.post("/schedules", json=daily()).json["id"]
    assert other.delete(f"/schedules/{made}").status_code == 403
    assert owner.delete(f"/schedules/{made}").status_code == 204
    ended = owner.get(f"/schedules/{made}").json["ended_at"]
    assert admin.delete(f"/schedules/{made}").status_code == 204
    assert owner.get(f"/schedules/{made}").json["ended_at"] == ended is not None
    assert owner.get("/schedules").json["items"] == []


def test_standing_schedules_are_listed_as_what_they_are(store: Store, nobody: Person) -> None:
    store.settings = replace(store.settings, standing_tournaments=True)
    standing.prepare(store)
    listed = nobody.get("/schedules?owner=arena").json["items"]
    assert {each["name"] for each in listed} == {
        "standing-anywoli", "standing-nsolo", "standing-omweso", "standing-oware", "standing-urim"
    }
    assert all(each["is_standing"] and each["bots"] is None for each in listed)


@pytest.mark.parametrize(
    ("changes", "status", "at_fault"),
    [
        ({"every": "month"}, 422, "every"),
        ({"at": "25:00"}, 422, "at"),
        ({"at": "eighteen"}, 422, "at"),
        ({"zone": "Mars/Olympus"}, 422, "zone"),
        ({"bots": ["alpha"]}, 422, "bots"),
        ({"bots": ["alpha", "omega"]}, 404, "bots"),
        ({"ruleset": "chess"}, 422, "ruleset"),
        ({"seed": "5eed"}, 422, "seed"),
        ({"name": "x" * 33}, 422, "name"),
    ],
)
def test_a_refusal_names_the_field(owner: Person, changes: dict[str, Any], status: int, at_fault: str) -> None:
    answer = owner.post("/schedules", json=daily(**changes))
    assert (answer.status_code, answer.json["field"]) == (status, at_fault)
    assert owner.get("/schedules").json["items"] == []


def test_nobody_makes_or_ends_one_without_a_token(owner: Person, nobody: Person) -> None:
    made = owner.post("/schedules", json=daily()).json["id"]
    assert nobody.post("/schedules", json=daily()).status_code == 401
    assert nobody.delete(f"/schedules/{made}").status_code == 401
    assert owner.delete("/schedules/99").status_code == 404
