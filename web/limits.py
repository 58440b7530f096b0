"""How often: accounts per address, uploads and new tournaments per user, passwords also per name.

Counted in Redis; in memory while Redis is away.
"""

import hashlib
import math
import time
from contextlib import suppress

from flask import Flask, Response, current_app, request
from flask_limiter import HeaderNames, Limiter, RequestLimit
from werkzeug.exceptions import RequestEntityTooLarge

from arena.errors import ArenaError
from arena.services.packages import MAX_ZIP
from arena.settings import Settings
from arena.store.redis_calls import client_options
from web.api.blueprint import call_of, rate_of, rate_of_name
from web.auth import current_user
from web.errors import WIRE_CODES, problem
from web.sessions import visitor

WAIT = "X-RateLimit-Wait"
UPLOADS = frozenset({"bots.submit", "bots.submit_version"})
BY_USER = UPLOADS | {"tournaments.create"}
UPLOAD_BYTES = MAX_ZIP + 64 * 1024                  # the largest package and the form around it
BODY_BYTES = 256 * 1024                             # two thousand bot names fit
DRAINED_BYTES = 64 * 1024 * 1024                    # of a package too large, read before it is refused
CHUNK = 64 * 1024


def register(app: Flask, settings: Settings) -> None:
    """Bound what a request may weigh and, unless switched off, how often each call marked `limited` is answered."""
    app.before_request(_bound_body)
    app.config["MAX_FORM_MEMORY_SIZE"] = BODY_BYTES
    if not settings.rate_limits:
        return
    app.after_request(_without_wait)            # of those registered, the last one comes first
    limiter = Limiter(
        _caller,
        app=app,
        storage_uri=settings.redis_url,
        storage_options=client_options(),
        in_memory_fallback_enabled=True,
        headers_enabled=True,
        header_name_mapping={HeaderNames.RETRY_AFTER: WAIT},
        on_breach=_refuse,
        key_prefix="arena",
    )
    calls = dict(app.view_functions)
    for endpoint, view in calls.items():
        call = call_of(endpoint, view)
        if (rate := rate_of(calls[call])) is not None:
            limited = limiter.shared_limit(rate, scope=call)(view)
            if (of_name := rate_of_name(calls[call])) is not None:
                limited = limiter.shared_limit(of_name, scope=call, key_func=_name)(limited)
            app.view_functions[endpoint] = limited      # type: ignore[assignment]


def _refuse(limit: RequestLimit) -> Response:
    """The answer to one call too many: how often it may be made, and when again."""
    seconds = max(1, math.ceil(limit.reset_at - time.time()))
    allowed = limit.limit
    unit = allowed.GRANULARITY.name if allowed.multiples == 1 else f"{allowed.multiples} {allowed.GRANULARITY.name}s"
    detail = f"Too many requests: {allowed.amount} per {unit} are answered here. Try again in {_span(seconds)}."
    return problem(429, WIRE_CODES[429], detail, headers={"Retry-After": str(seconds)})


def _span(seconds: int) -> str:
    """A time to wait, in the unit that says it.

    >>> _span(1), _span(119), _span(3599)
    ('1 second', '119 seconds', '60 minutes')
    """
    count, unit = (seconds, "second") if seconds < 120 else (round(seconds / 60), "minute")
    return f"{count} {unit}{'' if count == 1 else 's'}"


def _without_wait(response: Response) -> Response:
    """Drop the limiter's own Retry-After, which it would send with every answer, and in place of that of a 503."""
    response.headers.pop(WAIT, None)
    return response


def _bound_body() -> None:
    if _call() in UPLOADS:
        request.max_content_length = UPLOAD_BYTES
        request.max_form_memory_size = UPLOAD_BYTES         # a program may be pasted
    else:
        request.max_content_length = BODY_BYTES
    if request.content_length is not None and request.content_length > request.max_content_length:
        if _call() in UPLOADS:
            _drain(min(request.content_length, DRAINED_BYTES))
        raise RequestEntityTooLarge


def _drain(size: int) -> None:
    """Read and forget: a browser that is still sending would see a connection reset instead of the answer."""
    body = request.environ["wsgi.input"]
    while size > 0 and (chunk := body.read(min(size, CHUNK))):
        size -= len(chunk)


def _call() -> str:
    """What is asked for, by the name of the API's call."""
    endpoint = request.endpoint or ""
    return call_of(endpoint, current_app.view_functions[endpoint]) if endpoint else ""


def _is_page() -> bool:
    return request.endpoint != _call()


def _caller() -> str:
    """The user, where one is needed: further tokens, or addresses, are no further uploads."""
    if _call() in BY_USER:
        with suppress(ArenaError):              # the call itself will say it
            user = visitor() if _is_page() else current_user()
            if user is not None:
                return f"user {user.id}"
    return request.remote_addr or "unknown"


def _name() -> str:
    """Whose password is tried: by a form on the pages, else by basic authentication."""
    if _is_page():
        name = request.form.get("name")
    else:
        name = None if request.authorization is None else request.authorization.username
    if not name:
        return request.remote_addr or "unknown"
    return "name " + hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:32]
