"""For operators: healthz, readyz, metrics."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from arena.store.session import Store
from tests.support import field
from web.app import create_app


def numbers(client: FlaskClient) -> dict[tuple[str, ...], float]:
    """Every sample by its name and its labels' values."""
    text = client.get("/metrics").get_data(as_text=True)
    samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return {(sample.name, *sample.labels.values()): sample.value for sample in samples}


@pytest.fixture
def unmigrated(store: Store, tmp_path: Path) -> FlaskClient:
    settings = replace(store.settings, database_url=f"sqlite:///{tmp_path}/empty.sqlite3")
    return create_app(settings).test_client()


def test_process_is_up_without_a_database(unmigrated: FlaskClient) -> None:
    assert unmigrated.get("/healthz").json == {"status": "up"}


def test_unmigrated_database_is_not_ready(unmigrated: FlaskClient) -> None:
    answer = unmigrated.get("/readyz")
    assert (answer.status_code, answer.json["status"]) == (503, "unavailable")
    assert "arena admin migrate" in answer.json["checks"]["migrations"]["detail"]
    listed = unmigrated.get("/api/v1/bots")
    assert (listed.status_code, listed.json["code"]) == (503, "arena/store")


def test_arena_without_redis_and_workers_is_degraded_but_answers(client: FlaskClient) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json["status"]) == (200, "degraded")
    assert {name for name, check in answer.json["checks"].items() if not check["ok"]} == {"redis", "workers"}


def test_metrics_count_requests_by_route_and_never_by_address(client: FlaskClient) -> None:
    for path in ("/api/v1/games", "/api/v1/bots/one", "/api/v1/bots/two", "/nothing", "/nothing-else"):
        client.get(path)
    counted = numbers(client)
    assert counted["arena_http_requests_total", "GET", "/api/v1/games", "200"] == 1
    assert counted["arena_http_requests_total", "GET", "/api/v1/bots/<name:bot>", "404"] == 2
    assert counted["arena_http_requests_total", "GET", "none", "404"] == 2
    assert counted["arena_http_request_seconds_count", "GET", "/api/v1/games"] == 1


def test_metrics_know_the_load(client: FlaskClient, store: Store) -> None:
    versions = [field.add_bot(store, name) for name in ("alpha", "beta", "gamma")]
    field.add_qualification(store, versions[0])
    counted = numbers(client)
    assert counted["arena_store_up",] == 1
    assert counted["arena_matches", "due"] == 1
    assert counted["arena_oldest_unfinished_match_seconds",] > 0
    assert (counted["arena_lease_expiries_total",], counted["arena_attempt_faults_total",]) == (0, 0)


def test_metrics_tell_that_the_database_is_away(unmigrated: FlaskClient) -> None:
    assert numbers(unmigrated)["arena_store_up",] == 0


def test_every_answer_is_protected(client: FlaskClient) -> None:
    for path in ("/", "/api/docs", "/api/v1/games", "/healthz", "/nothing", "/static/arena.css"):
        headers = client.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert re.search(r"default-src 'none'.*frame-ancestors 'none'", headers["Content-Security-Policy"]), path
