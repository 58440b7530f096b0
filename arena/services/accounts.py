"""Who is who: users, their passwords, their tokens."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import Connection

from arena.errors import Forbidden, Invalid, NotFound, QuotaExceeded, Unauthenticated
from arena.ratings.eligibility import SYSTEM_OWNER
from arena.services.names import check_name, is_name
from arena.store import accounts as rows
from arena.store.accounts import Token, User
from arena.store.session import Store, utc_now

SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 200
LONGEST_TOKEN = 100
MAX_TOKENS = 50             # per user
BROWSER = "browser"         # what the tokens are called that browsers hold; those are made by logging in alone
MAX_BROWSERS = 10           # per user; a further one logs out the oldest
Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class HashCost:
    """What one password costs argon2id: memory in KiB, passes, lanes."""

    memory_kib: int = 19_456
    passes: int = 2
    lanes: int = 1


DEFAULT_COST = HashCost()


def register(  # noqa: PLR0913  # the last two are for tests
    store: Store,
    name: str,
    password: str,
    *,
    label: str = "registration",
    cost: HashCost = DEFAULT_COST,
    now: Clock = utc_now,
) -> tuple[User, str]:
    """A new user and a first token, which is shown this once."""
    return _add(store, check_name(name), _hash(password, cost), False, now(), label)


def create_admin(
    store: Store, name: str, password: str, *, cost: HashCost = DEFAULT_COST, now: Clock = utc_now
) -> tuple[User, str]:
    """A new user who may run everybody's tournaments and retire everybody's bots."""
    return _add(store, check_name(name), _hash(password, cost), True, now(), "registration")


def system_owner(store: Store, *, now: Clock = utc_now) -> User:
    """The owner of the shipped bots, made at the first call; nobody can log in as it."""
    with store.write() as tx:
        return rows.find_user(tx, SYSTEM_OWNER) or rows.add_user(tx, SYSTEM_OWNER, None, False, now())


def create_token(
    store: Store, name: str, password: str, label: str = "token", *, cost: HashCost = DEFAULT_COST
) -> str:
    """A further token for a name and password; raises `Unauthenticated`, which does not say which of them is wrong."""
    _check_label(label)
    return _add_token(store, _proved(store, name, password, cost), label)


def add_token(store: Store, user: User, label: str) -> str:
    """The same for somebody who is logged in."""
    _check_label(label)
    return _add_token(store, user, label)


def log_in(store: Store, name: str, password: str, *, cost: HashCost = DEFAULT_COST) -> str:
    """A token for a browser, which logging out takes back; raises as `create_token` does."""
    user = _proved(store, name, password, cost)
    with store.write() as tx:
        _lock_unless_banned(tx, user)
        token = _issue(tx, user, BROWSER, utc_now())
        rows.delete_tokens_called(tx, user.id, BROWSER, but_newest=MAX_BROWSERS)
        return token


def log_out(store: Store, token: str) -> None:
    """Take back the token that a browser holds; nothing happens if that was done already."""
    with store.write() as tx:
        rows.delete_token_of_hash(tx, _token_hash(token))


def change_password(
    store: Store, user: User, password: str, new_password: str, *, cost: HashCost = DEFAULT_COST
) -> str:
    """Another password, and a token for the browser that asked; all others are logged out.

    Tokens of programs stay.  Raises: Invalid, which names the wrong one of the two passwords.
    """
    try:
        _proved(store, user.name, password, cost)
    except Unauthenticated as error:
        raise Invalid("This is not your password; check it.", field="password") from error
    new_hash = _hash(new_password, cost, field="new_password")
    with store.write() as tx:
        _lock_unless_banned(tx, user)
        rows.set_password_hash(tx, user.id, new_hash)
        rows.delete_tokens_called(tx, user.id, BROWSER)
        return _issue(tx, user, BROWSER, utc_now())


def authenticate(store: Store, token: str) -> User:
    """Whose token it is; raises `Unauthenticated`."""
    if len(token) <= LONGEST_TOKEN and token.isascii():
        with store.read() as tx:
            user = rows.user_of_token(tx, _token_hash(token))
        if user is not None:
            return user
    raise Unauthenticated("This token is not valid; get a new one with your name and password.")


def tokens(store: Store, user: User) -> tuple[Token, ...]:
    """A user's tokens, without their secrets."""
    with store.read() as tx:
        return rows.tokens_of(tx, user.id)


def revoke_token(store: Store, user: User, token_id: int) -> None:
    """Take a token back; it stops working at once."""
    with store.write() as tx:
        if not rows.delete_token(tx, user.id, token_id):
            raise NotFound(f"You have no token {token_id}; look at the list of your tokens.")


def _add(  # noqa: PLR0913, PLR0917  # the columns
    store: Store, name: str, password_hash: str, is_admin: bool, now: datetime, label: str
) -> tuple[User, str]:
    with store.write() as tx:
        user = rows.add_user(tx, name, password_hash, is_admin, now)
        return user, _issue(tx, user, label, now)


def _check_label(label: str) -> None:
    if not 1 <= len(label) <= 80 or not label.isprintable():
        raise Invalid("A token's name has 1 to 80 printable characters; choose another one.", field="name")
    if label == BROWSER:
        raise Invalid(f"{BROWSER!r} is what log-ins on the pages are called; choose another name.", field="name")


def _proved(store: Store, name: str, password: str, cost: HashCost) -> User:
    """Who has this name and this password; raises `Unauthenticated`."""
    with store.read() as tx:
        user = rows.find_user(tx, name) if is_name(name) else None
        password_hash = rows.password_hash_of(tx, user.id) if user else None
    _verify(password_hash, password, cost)          # slow on purpose, so outside of any transaction
    assert user is not None
    return user


def _add_token(store: Store, user: User, label: str) -> str:
    with store.write() as tx:
        _lock_unless_banned(tx, user)
        if sum(token.name != BROWSER for token in rows.tokens_of(tx, user.id)) >= MAX_TOKENS:
            raise QuotaExceeded(f"{user.name} has {MAX_TOKENS} tokens already; revoke one that is not needed any more.")
        return _issue(tx, user, label, utc_now())


def _lock_unless_banned(tx: Connection, user: User) -> None:
    rows.lock_user(tx, user.id)
    if rows.is_banned(tx, user.id):
        raise Forbidden(f"{user.name} is banned from this arena; ask those who run it.")


def _issue(tx: Connection, user: User, label: str, now: datetime) -> str:
    """A new token; only its hash is kept, and a fast one will do: nobody can guess 32 random bytes."""
    token = secrets.token_urlsafe(32)
    rows.add_token(tx, user.id, label, _token_hash(token), now)
    return token


def _token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _hash(password: str, cost: HashCost, field: str = "password") -> str:
    """Slow on purpose: to be called outside of any transaction."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise Invalid(
            f"The password has {len(password)} characters; use {SHORTEST_PASSWORD} to {LONGEST_PASSWORD}.",
            field=field,
        )
    try:
        return _hasher(cost).hash(password.encode())
    except UnicodeEncodeError as error:
        raise Invalid("The password holds half a character; use text that can be written.", field=field) from error


def _verify(password_hash: str | None, password: str, cost: HashCost) -> None:
    """Takes equally long whether or not there is such a user."""
    hasher = _hasher(cost)
    try:
        hasher.verify(password_hash or _hash_of_nobody(cost), password.encode(errors="replace"))
    except (Argon2Error, InvalidHashError) as error:
        raise _wrong_login() from error
    if password_hash is None:
        raise _wrong_login()


def _wrong_login() -> Unauthenticated:
    return Unauthenticated("Name or password is wrong; check both, or register first.")


@lru_cache
def _hasher(cost: HashCost) -> PasswordHasher:
    return PasswordHasher(time_cost=cost.passes, memory_cost=cost.memory_kib, parallelism=cost.lanes)


@lru_cache
def _hash_of_nobody(cost: HashCost) -> str:
    return _hasher(cost).hash(secrets.token_bytes(16))
