"""Who a browser belongs to: a signed cookie holds a token like those of the API, which can be taken back like any.

The API never looks at it (web/auth.py).  Whoever logs in gets a new cookie; forms prove by a second secret in it that
they come from our own pages.
"""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

import structlog
from flask import Flask, Response, current_app, g, redirect, request, session, url_for
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from flask_wtf.csrf import CSRFProtect
from werkzeug.exceptions import ServiceUnavailable

from arena.errors import StoreUnavailable, Unauthenticated
from arena.services import accounts
from arena.settings import Settings
from arena.store.accounts import User
from web.context import store

TOKEN, NEW_TOKEN, SAID = "token", "fresh", "said"    # what a cookie holds, besides the forms' secret
LIFETIME = timedelta(days=30)                       # since the last visit

View = Callable[..., Any]
log = structlog.get_logger()


class Cookies(SecureCookieSessionInterface):
    """Flask's signed cookies; those of a visitor who came by https go by https alone.

    One that has not changed is sent again, to last longer, by the pages that asked whose it is, and by nothing else:
    what caches may keep, such as a replay, holds nobody's cookie.
    """

    digest_method = staticmethod(hashlib.sha256)

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        """Whether this answer brings the cookie."""
        return session.modified or (g.get("visitor") is not None and super().should_set_cookie(app, session))

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the cookie of this answer is never sent in the clear."""
        return request.is_secure or super().get_cookie_secure(app)


def register(app: Flask, settings: Settings) -> CSRFProtect:
    """Let people log in, if there is a key to sign with; every form is protected."""
    if not settings.secret_key:
        log.warning("no_secret_key", hint="set ARENA_SECRET_KEY, or nobody can log in on the pages")
    app.secret_key = settings.secret_key or None
    app.session_interface = Cookies()
    app.config.update(
        SESSION_COOKIE_NAME="arena_session",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.secure_cookies,
        PERMANENT_SESSION_LIFETIME=LIFETIME,
        WTF_CSRF_TIME_LIMIT=None,               # a form is good for as long as its cookie
        WTF_CSRF_CHECK_DEFAULT=bool(settings.secret_key),       # without a key every form says that there is none
    )
    app.context_processor(lambda: {"visitor": _shown_visitor, "can_log_in": bool(app.secret_key), "said": _take_said})
    app.after_request(_keep_private)
    return CSRFProtect(app)


def visitor() -> User | None:
    """Who is logged in in this browser."""
    if "visitor" not in g:
        g.visitor = _find_visitor()
    found: User | None = g.visitor
    return found


def logged_in(view: View) -> View:
    """Pass the user as the first argument; who is not logged in is asked to, and comes back."""

    @wraps(view)
    def with_user(*args: Any, **kwargs: Any) -> Any:
        check_key()
        user = visitor()
        if user is None:
            return redirect(url_for("account.log_in", next=_here()))
        return view(user, *args, **kwargs)

    return with_user


def begin(token: str) -> None:
    """This browser belongs to whose token it is; whatever its cookie held before is gone, and worth nothing."""
    end()
    session.permanent = True
    session[TOKEN] = token
    g.pop("visitor", None)


def end() -> None:
    """This browser belongs to nobody any more."""
    token = session.get(TOKEN)
    session.clear()
    g.pop("visitor", None)
    if token is not None:
        accounts.log_out(store(), token)


def say(words: str) -> None:
    """Tell the visitor something at the top of the next page."""
    session[SAID] = words


def check_key() -> None:
    """Raises what says that nobody can log in here."""
    if not current_app.secret_key:
        raise ServiceUnavailable(
            "Nobody can log in on these pages: this server has no ARENA_SECRET_KEY. Whoever runs it finds in its "
            "documentation (docs/operating.md) how to set one; the API and the command line work without it."
        )


def local_path(text: str | None, otherwise: str) -> str:
    """An address on this site, as far as the text is one: nobody is sent elsewhere."""
    if text is None or not text.startswith("/") or text.startswith(("//", "/\\")) or not text.isprintable():
        return otherwise
    parts = urlsplit(text)
    return otherwise if parts.scheme or parts.netloc else text


def _find_visitor() -> User | None:
    token = session.get(TOKEN)
    if token is None:
        return None
    try:
        return accounts.authenticate(store(), token)
    except Unauthenticated:
        session.pop(TOKEN, None)
        return None


def _shown_visitor() -> User | None:
    """For the head of the page, which is also that of a page that says that the database is away."""
    try:
        return visitor()
    except StoreUnavailable:
        return None


def _take_said() -> str:
    said: str = session.pop(SAID, "")
    return said


def _here() -> str:
    """Where somebody goes on after logging in."""
    if request.method == "GET":
        return request.full_path.removesuffix("?")
    return urlsplit(request.referrer or "").path or url_for("account.show")


def _keep_private(response: Response) -> Response:
    """What a page shows to one visitor alone, such as a form's secret, is kept by no cache."""
    if g.get("visitor") is not None or "csrf_token" in g:
        response.headers.setdefault("Cache-Control", "private, no-store")
    return response
