"""Users and their tokens, as rows."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from arena.errors import NameTaken
from arena.store.schema import tokens, users


@dataclass(frozen=True, slots=True)
class User:
    """`name` is unique and never changes."""

    id: int
    name: str
    is_admin: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Token:
    """What may be shown of a token: never the token."""

    id: int
    name: str
    created_at: datetime


_USER = (users.c.id, users.c.name, users.c.is_admin, users.c.created_at)
_TOKEN = (tokens.c.id, tokens.c.name, tokens.c.created_at)


def add_user(tx: Connection, name: str, password_hash: str | None, is_admin: bool, now: datetime) -> User:
    """A new user; raises `NameTaken`, also when another process was quicker by a moment."""
    values = {"name": name, "password_hash": password_hash, "is_admin": is_admin, "created_at": now}
    try:
        return User(*tx.execute(insert(users).values(values).returning(*_USER)).one())
    except IntegrityError as error:
        raise NameTaken(f"A user is already called {name!r}; choose another name.", field="name") from error


def find_user(tx: Connection, name: str) -> User | None:
    """The user of this name."""
    return _user(tx.execute(select(*_USER).where(users.c.name == name)).one_or_none())


def user_of_token(tx: Connection, token_hash: str) -> User | None:
    """Whose token has this SHA-256."""
    query = select(*_USER).join(tokens, tokens.c.user_id == users.c.id).where(tokens.c.token_hash == token_hash)
    return _user(tx.execute(query).one_or_none())


def password_hash_of(tx: Connection, user_id: int) -> str | None:
    """None for a user who cannot log in."""
    found: str | None = tx.execute(select(users.c.password_hash).where(users.c.id == user_id)).scalar_one()
    return found


def ban(tx: Connection, user_id: int, now: datetime) -> None:
    """Take back all tokens of a user, and note that no other is to be given; the first time stays."""
    tx.execute(update(users).where(users.c.id == user_id, users.c.banned_at.is_(None)).values(banned_at=now))
    tx.execute(delete(tokens).where(tokens.c.user_id == user_id))


def is_banned(tx: Connection, user_id: int) -> bool:
    """Whether a user was shut out."""
    return tx.scalar(select(users.c.banned_at).where(users.c.id == user_id)) is not None


def lock_user(tx: Connection, user_id: int) -> None:
    """Let nobody else count against this user's quotas until the transaction ends."""
    tx.execute(select(users.c.id).where(users.c.id == user_id).with_for_update(key_share=True))


def add_token(tx: Connection, user_id: int, name: str, token_hash: str, now: datetime) -> Token:
    """Keep a token's hash."""
    values = {"user_id": user_id, "name": name, "token_hash": token_hash, "created_at": now}
    return Token(*tx.execute(insert(tokens).values(values).returning(*_TOKEN)).one())


def tokens_of(tx: Connection, user_id: int) -> tuple[Token, ...]:
    """A user's tokens, oldest first."""
    rows = tx.execute(select(*_TOKEN).where(tokens.c.user_id == user_id).order_by(tokens.c.id))
    return tuple(Token(*row) for row in rows)


def delete_token(tx: Connection, user_id: int, token_id: int) -> bool:
    """Whether the user had such a token."""
    done = tx.execute(delete(tokens).where(tokens.c.id == token_id, tokens.c.user_id == user_id))
    return done.rowcount == 1


def delete_token_of_hash(tx: Connection, token_hash: str) -> None:
    """Forget a token that is known by its SHA-256."""
    tx.execute(delete(tokens).where(tokens.c.token_hash == token_hash))


def delete_tokens_called(tx: Connection, user_id: int, name: str, *, but_newest: int = 0) -> None:
    """Forget a user's tokens of this name, but for so many of the newest; hold the user's lock."""
    of_name = (tokens.c.user_id == user_id, tokens.c.name == name)
    kept = select(tokens.c.id).where(*of_name).order_by(tokens.c.id.desc()).limit(but_newest)
    tx.execute(delete(tokens).where(*of_name, tokens.c.id.not_in(tx.scalars(kept).all())))


def set_password_hash(tx: Connection, user_id: int, password_hash: str) -> None:
    """Another password."""
    tx.execute(update(users).where(users.c.id == user_id).values(password_hash=password_hash))


def _user(row: Row[int, str, bool, datetime] | None) -> User | None:
    return None if row is None else User(*row)
