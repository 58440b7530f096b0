"""Users and their bots for tests of the services, made by the services themselves."""

from collections.abc import Sequence

from sqlalchemy import delete, update

from arena.services import accounts, bots
from arena.services.accounts import HashCost
from arena.store.accounts import User
from arena.store.bots import Bot, Version
from arena.store.schema import matches, versions
from arena.store.session import Store

CHEAP = HashCost(memory_kib=8, passes=1)        # the least argon2 takes
PASSWORD = "correct horse"
SOURCE = b"def choose_move(position):\n    return position.legal_moves()[0]\n"


def register(store: Store, name: str) -> User:
    """A user with the password above."""
    return accounts.register(store, name, PASSWORD, cost=CHEAP)[0]


def admin(store: Store, name: str = "judge") -> User:
    """An admin with the same password."""
    return accounts.create_admin(store, name, PASSWORD, cost=CHEAP)[0]


def submit(store: Store, user: User, name: str, game: str = "oware") -> tuple[Bot, Version]:
    """A bot whose version 1 is being checked."""
    return bots.submit(store, user, name, game, "bot.py", SOURCE)


def qualify(store: Store) -> None:
    """Let every version that is being checked pass, without playing."""
    with store.write() as tx:
        tx.execute(delete(matches).where(matches.c.purpose == "qualification"))
        tx.execute(update(versions).where(versions.c.state == "checking").values(state="active"))


def active_bots(store: Store, names: Sequence[str], game: str = "oware") -> dict[str, User]:
    """Active bots of these names, each with an owner of its own, who are returned by the bot's name."""
    owners = {name: register(store, f"owner-of-{name}") for name in names}
    for name, owner in owners.items():
        submit(store, owner, name, game)
    qualify(store)
    return owners
