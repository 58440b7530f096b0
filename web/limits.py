"""How often: accounts per address, uploads per token. Counted in Redis; in memory while Redis is away."""

import hashlib

from flask import Flask, request
from flask_limiter import Limiter
from werkzeug.exceptions import RequestEntityTooLarge

from arena.services.packages import MAX_ZIP
from arena.settings import Settings
from arena.store.leaderboards import client_options
from web.api.blueprint import rate_of

UPLOADS = frozenset({"bots.submit", "bots.submit_version"})
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
            app.view_functions[endpoint] = limiter.limit(rate)(view)        # type: ignore[assignment]


def _bound_body() -> None:
    request.max_content_length = UPLOAD_BYTES if request.endpoint in UPLOADS else BODY_BYTES
    if request.content_length is not None and request.content_length > request.max_content_length:
        raise RequestEntityTooLarge


def _caller() -> str:
    sent = request.authorization
    if request.endpoint in UPLOADS and sent is not None and sent.token:
        return hashlib.sha256(sent.token.encode()).hexdigest()[:32]
    return request.remote_addr or "unknown"
