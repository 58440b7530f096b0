"""flask-smorest's blueprint, and how our calls say in one line each who may ask and what can go wrong."""

from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any, ClassVar

from flask import Response
from flask_smorest import Blueprint

from arena.errors import ArenaError, StoreUnavailable
from arena.services.packages import is_zip
from web.auth import current_user
from web.errors import status_of
from web.parsing import StrictParser

View = Callable[..., Any]
TEXT, ZIP = "text/plain", "application/zip"
LOCATION = {"Location": {"description": "Where the new thing is.", "schema": {"type": "string"}}}


class Noun(Blueprint):
    """All calls on one noun of the API."""

    ARGUMENTS_PARSER = StrictParser()
    DEFAULT_LOCATION_CONTENT_TYPE_MAPPING: ClassVar[Mapping[str, str]] = {
        **Blueprint.DEFAULT_LOCATION_CONTENT_TYPE_MAPPING,
        "multipart": "multipart/form-data",
    }

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name, f"web.api.{name}", url_prefix="/api/v1", description=description)
        self._prepare_doc_cbks.append(_document_failures)

    def login(self, view: View) -> View:
        """Pass the user whose token came with the request as the first argument; goes above `arguments`."""

        @wraps(view)
        def with_user(*args: Any, **kwargs: Any) -> Any:
            return view(current_user(), *args, **kwargs)

        return _noting(with_user, security=[{"bearer": []}])

    def password(self, view: View) -> View:
        """Document that the call takes name and password; the view reads them itself."""
        return _noting(view, security=[{"basic": []}])

    def limited(self, rate: str, *, of_name: str | None = None) -> Callable[[View], View]:
        """Answer only so often, such as "30 per hour"; goes above everything but the route.

        `of_name`: how often for one name of basic authentication, whoever sends it.
        """
        return lambda view: _noting(limited(rate)(view), rate_of_name=of_name)

    def bounded(self, view: View) -> View:
        """Document that the view itself refuses who asks for too much at once."""
        return _noting(view, is_bounded=True)

    def fails(self, *errors: type[ArenaError]) -> Callable[[View], View]:
        """Document what else the call answers with."""

        def decorate(view: View) -> View:
            return _noting(view, failures=[status_of(error) for error in errors])

        return decorate


def limited(rate: str) -> Callable[[View], View]:
    """As `Noun.limited`, for pages."""
    return lambda view: _noting(view, rate=rate)


def limited_as(call: str) -> Callable[[View], View]:
    """For pages that do what this call of the API does: both together may be asked for only so often."""
    return lambda view: _noting(view, counts_as=call)


def call_of(endpoint: str, view: View) -> str:
    """The endpoint as which a view's requests are counted: its own, but for a page that does what a call does."""
    call: str = getattr(view, "_apidoc", {}).get("counts_as", endpoint)
    return call


def rate_of(view: View) -> str | None:
    """How often a view may be called, if that is limited."""
    rate: str | None = getattr(view, "_apidoc", {}).get("rate")
    return rate


def rate_of_name(view: View) -> str | None:
    """How often a view may be called with one name, if that is limited."""
    rate: str | None = getattr(view, "_apidoc", {}).get("rate_of_name")
    return rate


def package_file(package: bytes, bot: str, number: int) -> Response:
    """The package of a version, as it was sent."""
    if is_zip(package):
        return private_file(package, ZIP, f"{bot}-{number}.zip")
    return private_file(package, TEXT, f"{bot}-{number}.py")


def private_file(content: bytes, mimetype: str, name: str) -> Response:
    """A download that no browser opens as a page and no cache keeps."""
    response = Response(content, mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _noting(view: View, **notes: Any) -> View:
    """Keep notes for the API document on the view, where flask-smorest keeps its own."""

    @wraps(view)
    def noted(*args: Any, **kwargs: Any) -> Any:
        return view(*args, **kwargs)

    noted._apidoc = {**getattr(view, "_apidoc", {}), **notes}       # type: ignore[attr-defined]
    return noted


def _document_failures(doc: dict[str, Any], notes: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """Add to a call's document every failure that follows from how it is declared."""
    statuses = {*notes.get("failures", ()), HTTPStatus.INTERNAL_SERVER_ERROR, status_of(StoreUnavailable)}
    if "security" in notes:
        doc["security"] = notes["security"]
        statuses.add(HTTPStatus.UNAUTHORIZED)
    if "rate" in notes or "is_bounded" in notes:
        statuses.add(HTTPStatus.TOO_MANY_REQUESTS)
    if "requestBody" in doc:
        statuses |= {
            HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, HTTPStatus.UNPROCESSABLE_ENTITY,
        }
    for status in statuses:
        doc.setdefault("responses", {})[int(status)] = status.name
    return doc
