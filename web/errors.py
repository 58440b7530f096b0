"""Every failure as problem JSON (RFC 9457): one table from error class to status, one shape for all of them.

`code` is stable and for programs, `detail` is one sentence for people, `field` names the part of the request at fault.
"""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, cast

import structlog
from flask import Flask, Response, current_app, render_template, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from arena import errors
from arena.errors import ArenaError, UnknownGame, UnknownOption
from web.converters import misfit

PROBLEM_TYPE = "application/problem+json"
RETRY_SECONDS = 5
LONGEST_PATH = 120              # in a sentence

STATUS: Mapping[type[ArenaError], HTTPStatus] = {
    errors.ArenaError: HTTPStatus.INTERNAL_SERVER_ERROR,        # whatever is not listed is ours
    errors.RuleError: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.RequestError: HTTPStatus.BAD_REQUEST,
    errors.Invalid: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.InvalidPackage: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.Unauthenticated: HTTPStatus.UNAUTHORIZED,
    errors.Forbidden: HTTPStatus.FORBIDDEN,
    errors.QuotaExceeded: HTTPStatus.FORBIDDEN,
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.NameTaken: HTTPStatus.CONFLICT,
    errors.Conflict: HTTPStatus.CONFLICT,
    errors.TooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    errors.StoreUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
}

WIRE_CODES: Mapping[int, str] = {       # failures of HTTP itself, before any of our code has seen the request
    400: "request/malformed",
    404: "request/not-found",
    405: "request/method-not-allowed",
    413: "request/too-large",
    415: "request/content-type",
    422: "request/invalid",
    429: "request/rate-limited",
    503: "arena/busy",
}

log = structlog.get_logger()


def status_of(error: type[ArenaError]) -> HTTPStatus:
    """The status of the nearest class in the table."""
    return next(STATUS[kind] for kind in error.__mro__ if kind in STATUS)


def codes_of(status: HTTPStatus) -> list[str]:
    """Every code that can come with a status, for the API document."""
    ours = {error.code for error, answer in STATUS.items() if answer == status and error is not ArenaError}
    return sorted(ours | {code for wire, code in WIRE_CODES.items() if wire == status})


def problem(  # noqa: PLR0913  # the members of RFC 9457 and our own
    status: int,
    code: str,
    detail: str,
    *,
    field: str | None = None,
    faults: list[dict[str, str]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """One answer of the kind; `faults` lists all that a schema found, `field` the first."""
    if _is_asked_by_a_person():
        page = render_template("error.html", title=HTTPStatus(status).phrase, detail=detail)
        return Response(page, status, headers, mimetype="text/html")
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "code": code,
        "detail": detail,
    }
    if field is not None:
        body["field"] = field
    if faults and len(faults) > 1:
        body["errors"] = faults
    return Response(current_app.json.dumps(body), status, headers, content_type=PROBLEM_TYPE)


def register(app: Flask) -> None:
    """Answer every error this way; outside the API, people get the same as a page."""
    app.register_error_handler(ArenaError, answer_arena_error)
    app.register_error_handler(CSRFError, answer_foreign_form)
    app.register_error_handler(HTTPException, answer_http_error)
    app.register_error_handler(Exception, answer_bug)


def answer_arena_error(error: ArenaError) -> Response:
    """An error of our own classes, by the table."""
    status = HTTPStatus.NOT_FOUND if _is_of_no_page(error) else status_of(type(error))
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        return answer_bug(error)
    headers = {}
    if status == HTTPStatus.UNAUTHORIZED:
        takes_password = request.endpoint == "accounts.create_token"
        headers["WWW-Authenticate"] = 'Basic realm="arena"' if takes_password else "Bearer"
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = str(RETRY_SECONDS)
        log.warning("store_unavailable", path=request.path, detail=str(error))
    return problem(status, error.code, str(error), field=error.field, headers=headers)


def answer_http_error(error: HTTPException) -> Response:
    """A failure of HTTP itself, or of a schema (webargs keeps its messages in `data`); a limit brings its answer."""
    if error.response is not None and error.code == HTTPStatus.TOO_MANY_REQUESTS:
        return cast(Response, error.response)
    faults = list(_faults(getattr(error, "data", {}).get("messages", {})))
    first = faults[0] if faults else {"detail": _wire_detail(error)}
    status = error.code or 500
    code = WIRE_CODES.get(status, "request/error" if status < 500 else "arena/error")
    kept = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    return problem(status, code, first["detail"], field=first.get("field"), faults=faults, headers=kept)


def answer_foreign_form(error: CSRFError) -> Response:
    """A form without its secret: from a page opened before somebody logged in or out, or from another site."""
    detail = (
        "Nothing was changed. This form was opened before you logged in or out, or your browser keeps no cookies of "
        "this site. Go back, load the page again, and send the form once more."
    )
    return problem(HTTPStatus.BAD_REQUEST, "request/form-expired", detail)


def answer_bug(error: Exception) -> Response:
    """Something nobody foresaw: logged with its traceback, told without any of it."""
    log.error("request_failed", method=request.method, path=request.path, exc_info=error)
    return problem(500, "arena/error", "The arena failed to answer; the failure was logged. Try again later.")


def _is_of_no_page(error: ArenaError) -> bool:
    """Whether a page's own address holds a ruleset that there is not."""
    is_unknown = isinstance(error, UnknownGame | UnknownOption)
    return is_unknown and "ruleset" in (request.view_args or {}) and not _is_of_the_api()


def _is_of_the_api() -> bool:
    return request.path.startswith("/api/")


def _is_asked_by_a_person() -> bool:
    return not _is_of_the_api() and request.accept_mimetypes.accept_html


def _wire_detail(error: HTTPException) -> str:
    match error.code:
        case 404:
            why = misfit(current_app.url_map, request.path)
            return f"There is nothing at {_shown_path()}{f': {why}' if why else ''}; the calls are listed at /api/docs."
        case 405:
            return f"{request.method} does not go with {_shown_path()}; see /api/docs for what does."
        case 413:
            limit = request.max_content_length
            return f"The request is larger than {limit:,} bytes, the limit of this call."
        case _:
            return error.description or HTTPStatus(error.code or 500).phrase


def _shown_path() -> str:
    return request.path if len(request.path) <= LONGEST_PATH else f"{request.path[:LONGEST_PATH]}…"


def _faults(messages: Any, path: tuple[str, ...] = ()) -> Iterator[dict[str, str]]:
    """What marshmallow found, flattened: the first key is the place (json, query …), the rest the field's path."""
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            yield from _faults(inner, (*path, str(key)))
        return
    field = ".".join(part for part in path[1:] if part != "_schema")
    for message in messages if isinstance(messages, list) else [messages]:
        yield {"field": field, "detail": f"{field}: {message}"} if field else {"detail": str(message)}
