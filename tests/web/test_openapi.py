"""The API document, and that the API keeps to it whatever it is sent (schemathesis)."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import FailureGroup
from schemathesis.openapi import from_wsgi

from arena.settings import Settings
from arena.store.session import Store
from tests.conftest import NO_REDIS
from tests.support import field
from tests.web.conftest import Person, register
from web.app import create_app

load_all_checks()
UNFIT = [CHECKS.get_one("positive_data_acceptance")]        # no schema can say which cursors and games there are
EXAMPLES = 10           # of each call, well formed and again malformed


@pytest.fixture(scope="module")
def ama(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """A user of an app with bots and a finished tournament in it."""
    folder = tmp_path_factory.mktemp("openapi")
    url = f"sqlite:///{shutil.copy(migrated_sqlite, folder / 'arena.sqlite3')}"
    store = Store.open(Settings(data_dir=folder, database_url=url, redis_url=NO_REDIS, rate_limits=False))
    person = register(create_app(store.settings, store).test_client(), store, "ama")
    field.add_tournament(store, [field.add_bot(store, name) for name in ("alpha", "beta")])
    field.play_out(store, field.Moment())
    yield person
    store.dispose()


@pytest.fixture(scope="module")
def document(ama: Person) -> dict[str, Any]:
    answer: dict[str, Any] = ama.client.get("/api/openapi.json").json
    return answer


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_api_keeps_to_its_document(mode: GenerationMode, ama: Person) -> None:
    schema = from_wsgi("/api/openapi.json", ama.client.application)
    broken = []
    for result in schema.get_all_operations():
        operation = result.ok()
        try:
            send_anything(operation.as_strategy(generation_mode=mode), ama)
        except Unsatisfiable:
            continue            # nothing about this call can be malformed
        except FailureGroup as failure:
            broken.append(f"{operation.label}: {failure}")
    assert not broken, "\n\n".join(broken)


def send_anything(cases: SearchStrategy[Case], person: Person) -> None:
    @given(cases)
    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def send(case: Case) -> None:
        case.call_and_validate(headers={"Authorization": f"Bearer {person.token}"}, excluded_checks=UNFIT)

    send()


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method in ("get", "post", "patch", "delete"):
                yield f"{method.upper()} {path}", operation


def test_every_call_has_a_summary_and_says_how_it_fails(document: dict[str, Any]) -> None:
    for call, operation in operations(document):
        assert operation["summary"], call
        assert {"500", "503"} <= set(operation["responses"]), call
    for name, response in document["components"]["responses"].items():
        assert list(response["content"]) == ["application/problem+json"], name


def test_every_changing_call_but_registration_needs_a_token(document: dict[str, Any]) -> None:
    open_calls = {
        call for call, operation in operations(document) if not call.startswith("GET") and "security" not in operation
    }
    assert open_calls == {"POST /api/v1/users"}


def test_docs_come_from_this_server_alone(ama: Person) -> None:
    page = ama.client.get("/api/docs")
    assert "http" not in page.get_data(as_text=True).replace("http-equiv", "")
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    for asset in ("swagger-ui/swagger-ui.css", "swagger-ui/swagger-ui-bundle.js", "docs.js"):
        assert f"/static/{asset}" in page.get_data(as_text=True)
        assert ama.client.get(f"/static/{asset}").status_code == 200
