"""Who is asking. The API takes `Authorization` headers only, never cookies: so no other site can act for a visitor."""

from flask import request

from arena.errors import Unauthenticated
from arena.services import accounts
from arena.store.accounts import User
from web.context import store

HOW_TO = "send `Authorization: Bearer TOKEN` with a token of POST /api/v1/users or POST /api/v1/tokens"


def current_user() -> User:
    """Whose token this is; raises `Unauthenticated`."""
    sent = request.authorization
    if sent is None:
        raise Unauthenticated(f"This call needs a token: {HOW_TO}.")
    if sent.type != "bearer" or not sent.token:
        raise Unauthenticated(f"This call takes a Bearer token, not {sent.type!r}: {HOW_TO}.")
    return accounts.authenticate(store(), sent.token)


def basic_credentials() -> tuple[str, str]:
    """Name and password of basic authentication; raises `Unauthenticated`."""
    sent = request.authorization
    if sent is None or sent.type != "basic" or not sent.username or sent.password is None:
        raise Unauthenticated("This call needs basic authentication with your name and password.")
    return sent.username, sent.password
