"""Headers of every answer: nothing foreign is loaded, nothing is framed, no type is guessed."""

from flask import Flask, Response, request

OF_DATA = "default-src 'none'; frame-ancestors 'none'"
OF_PAGES = (
    f"{OF_DATA}; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'self'"
)
OF_DOCS = (
    f"{OF_DATA}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'self'; "
    "script-src 'self'; connect-src 'self'"
)


def register(app: Flask) -> None:
    """Set them once the answer is made."""
    app.after_request(_protect)


def _protect(response: Response) -> Response:
    response.headers.setdefault("Content-Security-Policy", _policy(response))
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    if request.authorization is not None:
        response.headers.setdefault("Cache-Control", "private, no-store")
    return response


def _policy(response: Response) -> str:
    if request.endpoint == "docs.browse":
        return OF_DOCS          # Swagger UI sets styles of its own
    return OF_PAGES if response.mimetype == "text/html" else OF_DATA
