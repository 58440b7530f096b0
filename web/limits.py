"""How often: accounts per address, uploads and new tournaments per user, passwords also per name.

Counted in Redis; in memory while Redis is away.
"""

import hashlib
from contextlib import suppress

from flask import Flask, request
from flask_limiter import Limiter
from werkzeug.exceptions import RequestEntityTooLarge

from arena.errors import ArenaError
from arena.services.packages import MAX_ZIP
from arena.settings import Settings
from arena.store.leaderboards import client_options
from web.api.blueprint import rate_of, rate_of_name
from web.auth import current_user

UPLOADS = frozenset({"bots.submit", "bots.submit_version"})
BY_USER = UPLOADS | {"tournaments.create"}
UPLOAD_BYTES = MAX_ZIP + 64 * 1024                  # the largest package and the form around it
BODY_BYTES = 256 * 1024                             # two thousand bot names fit


def register(app: Flask, settings: Settings) -> None:
    """Bound what a request may weigh and, unless switched off, how often each call marked `limited` is answered."""
    app.before_request(_bound_body)
    app.config["MAX_FORM_MEMORY_SIZE"] = BODY_BYTES
    if not settings.rate_limits:
        return
    limiter = Limiter(
        _caller,
        app=app,
        storage_uri=settings.redis_url,
        storage_options=client_options(),
        in_memory_fallback_enabled=True,
        headers_enabled=True,
        key_prefix="arena",
    )
    for endpoint, view in list(app.view_functions.items()):
        if (rate := rate_of(view)) is not None:
            limited = limiter.limit(rate)(view)
            if (of_name := rate_of_name(view)) is not None:
                limited = limiter.limit(of_name, key_func=_name)(limited)
            app.view_functions[endpoint] = limited      # type: ignore[assignment]


def _bound_body() -> None:
    request.max_content_length = UPLOAD_BYTES if request.endpoint in UPLOADS else BODY_BYTES
    if request.content_length is not None and request.content_length > request.max_content_length:
        raise RequestEntityTooLarge


def _caller() -> str:
    """The user, where one is needed: further tokens, or addresses, are no further uploads."""
    if request.endpoint in BY_USER:
        with suppress(ArenaError):              # the call itself will say it
            return f"user {current_user().id}"
    return request.remote_addr or "unknown"


def _name() -> str:
    sent = request.authorization
    if sent is None or not sent.username:
        return request.remote_addr or "unknown"
    return "name " + hashlib.sha256(sent.username.encode("utf-8", "replace")).hexdigest()[:32]
