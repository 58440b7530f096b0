"""The API document (OpenAPI 3.1): what flask-smorest derives from the blueprints, and our own kind of errors."""

from http import HTTPStatus

import marshmallow as ma
from flask import Flask
from flask_smorest import Api

from arena import __version__
from web.api.schemas.fields import Moment, Points
from web.converters import CONVERTERS
from web.errors import PROBLEM_TYPE, WIRE_CODES, codes_of

DESCRIPTION = """Submit bots for five mancala games, run tournaments, read leaderboards.

Anyone may read. Calls that change something need a token of `POST /users` or `POST /tokens`: `Authorization: Bearer …`.
Lists come in pages: `{"items": […], "next": cursor or null}`; ask for the next one with `?cursor=`.
Every error is `application/problem+json` with a stable `code`, one sentence in `detail`, and the `field` at fault.
Times are UTC (ISO 8601); points are exact: `"1/2"`."""

RETRY_AFTER = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 0}}}
ANSWERS = sorted({HTTPStatus(code) for code in WIRE_CODES} | {
    HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.CONFLICT,
    HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.SERVICE_UNAVAILABLE,
})


class FaultSchema(ma.Schema):
    """One of several things wrong with a request."""

    field = ma.fields.String()
    detail = ma.fields.String(required=True)


class ProblemSchema(ma.Schema):
    """What went wrong (RFC 9457)."""

    type = ma.fields.String(required=True)
    title = ma.fields.String(required=True)
    status = ma.fields.Integer(required=True)
    code = ma.fields.String(required=True, metadata={"description": "Stable, for programs."})
    detail = ma.fields.String(required=True, metadata={"description": "One sentence, for people."})
    field = ma.fields.String(metadata={"description": "The part of the request at fault."})
    errors = ma.fields.List(ma.fields.Nested(FaultSchema), metadata={"description": "All of several faults."})


class ArenaApi(Api):
    """flask-smorest's Api; errors are documented as what web/errors.py answers."""

    ERROR_SCHEMA = ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """web/errors.py registers its own."""

    def _register_pagination_header(self) -> None:
        """Our pages come in the body."""

    def _register_responses(self) -> None:
        for status in ANSWERS:
            answer = {
                "description": f"{status.phrase}: " + ", ".join(f"`{code}`" for code in codes_of(status)),
                "content": {PROBLEM_TYPE: {"schema": ProblemSchema}},
            }
            if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
                answer["headers"] = RETRY_AFTER
            self.spec.components.response(status.name, answer, lazy=True)


def make_api(app: Flask) -> ArenaApi:
    """The document of this app, still without its blueprints."""
    app.config.update(
        API_TITLE="The arena",
        API_VERSION=f"v1 ({__version__})",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={"info": {"description": DESCRIPTION}, "servers": [{"url": "/"}]},
    )
    api = ArenaApi()
    api.register_field(Moment, "string", "date-time")
    api.register_field(Points, "string", None)
    for converter in CONVERTERS.values():
        api.register_converter(converter, lambda found: dict(found.schema))
    api.init_app(app)
    schemes = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "A token of `POST /users` or `POST /tokens`."},
        "basic": {"type": "http", "scheme": "basic", "description": "Name and password; for `POST /tokens` alone."},
    }
    for name, scheme in schemes.items():
        api.spec.components.security_scheme(name, scheme)
    return api
