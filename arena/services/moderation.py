"""What an operator does against those who abuse the arena: ban a bot, or a user with all bots.  Twice is once.

History stays: matches, records, ledgers.  Nothing of a banned bot is on any board from that moment on.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

import structlog
from sqlalchemy import Connection

from arena.errors import Forbidden, Invalid, NotFound
from arena.ratings.eligibility import SYSTEM_OWNER
from arena.services.board_copies import push_boards
from arena.services.bots import find
from arena.services.leaving import take_out_the_shut_out
from arena.store import accounts, boards, recurring
from arena.store import bots as rows
from arena.store.accounts import User
from arena.store.bots import Bot
from arena.store.session import Store, utc_now

Clock = Callable[[], datetime]
log = structlog.get_logger()


def ban(store: Store, name: str, kind: str | None = None, *, now: Clock = utc_now) -> str:
    """Ban the bot or the user of this name; `kind` says which, where there are both. Returns: what was banned."""
    with store.read() as tx:
        found = {"bot": rows.find_bot(tx, name), "user": accounts.find_user(tx, name)}
    kinds = [each for each, row in found.items() if row is not None and kind in (None, each)]
    if not kinds:
        raise NotFound(f"There is no {kind or 'bot or user'} {name[:60]!r}; check the name.", field="name")
    if len(kinds) > 1:
        raise Invalid(f"{name} is a bot and a user; say which of them is meant.", field="name")
    if kinds == ["bot"]:
        ban_bot(store, name, now=now)
    else:
        ban_user(store, name, now=now)
    return kinds[0]


def ban_bot(store: Store, name: str, *, now: Clock = utc_now) -> Bot:
    """Retire a bot against its owner's will: off every board at once, out of everything under way, no new version."""
    with store.write() as tx:
        rows.lock_bots(tx, [name], to_change=True)
        if find(tx, name).owner == SYSTEM_OWNER:
            raise Forbidden(f"{name} is a reference bot of the arena itself; it cannot be banned.")
        changed = _ban(tx, [name], now())
        banned = find(tx, name)
    _tell(store, [name], changed, now)
    return banned


def ban_user(store: Store, name: str, *, now: Clock = utc_now) -> User:
    """Ban a user's bots, all at once, and shut the user out: no token works, and no new one is given."""
    with store.write() as tx:
        user = accounts.find_user(tx, name)
        if user is None:
            raise NotFound(f"There is no user {name[:60]!r}; check the name.", field="name")
        if name == SYSTEM_OWNER:
            raise Forbidden(f"{name} is the arena itself; it cannot be banned.")
        recurring.end(tx, now(), owner_id=user.id)
        accounts.ban(tx, user.id, now())
        bots = rows.names_of_owner(tx, user.id)
        rows.lock_bots(tx, bots, to_change=True)
        changed = _ban(tx, bots, now())
    _tell(store, bots, changed, now)
    return user


def _ban(tx: Connection, names: Sequence[str], now: datetime) -> tuple[str, ...]:
    """The rulesets whose boards have changed."""
    fresh = [bot for bot in rows.find_bots(tx, names).values() if bot.banned_at is None]
    for bot in fresh:
        rows.ban(tx, bot.id, now)
    return boards.take_off(tx, [bot.id for bot in fresh if bot.retired_at is None])


def _tell(store: Store, bots: Sequence[str], changed: Sequence[str], now: Clock) -> None:
    log.warning("bots_banned", bots=list(bots), boards=list(changed))
    push_boards(store, changed)
    take_out_the_shut_out(store, now)
