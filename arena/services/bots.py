"""Bots: submit them, look at them, retire them."""

import hashlib
import secrets
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection

from arena import games
from arena.errors import Conflict, Forbidden, Invalid, NotFound
from arena.services.bell import ring
from arena.services.board_copies import push_boards
from arena.services.names import blaming, check_bot_name
from arena.services.packages import check_package
from arena.services.rights import check_may_change
from arena.store import boards, matches
from arena.store import bots as rows
from arena.store.accounts import User, find_user
from arena.store.bots import Bot, Version
from arena.store.matches import Match
from arena.store.paging import DEFAULT_LIMIT, Page, check_limit, decode_cursor, page_of
from arena.store.session import Store, utc_now

QUALIFICATION_FORMAT = "games-2"            # one game as South, one as North
QUALIFICATION_TIME_CONTROL = "standard"     # a second a turn: a bot that is slow for `quick` may enter other events


def submit(  # noqa: PLR0913, PLR0917  # the fields of the form
    store: Store, user: User, name: str, game: str, file_name: str, content: bytes
) -> tuple[Bot, Version]:
    """A new bot; its version 1 is checked by a worker before it may play."""
    check_bot_name(name, user.name)
    plain_game = check_game(game)
    check_package(file_name, content)
    with store.write() as tx:
        rows.add_bot(tx, user.id, name, plain_game, utc_now())
        submitted = _add_version(tx, name, content, utc_now())
    ring(store)
    return submitted


def submit_version(store: Store, user: User, bot: str, file_name: str, content: bytes) -> tuple[Bot, Version]:
    """A new version of one's own bot; the old ones stay, and the newest active one plays."""
    check_package(file_name, content)
    with store.write() as tx:
        rows.lock_bots(tx, [bot], to_change=True)
        found = _managed(tx, user, bot)
        if found.banned_at is not None:
            raise Forbidden(f"{bot} was banned by the arena and takes no new version.")
        if found.retired_at is not None:
            raise Conflict(f"{bot} is retired and takes no new version; submit a bot under another name.")
        submitted = _add_version(tx, bot, content, utc_now())
    ring(store)
    return submitted


def show(store: Store, name: str) -> Bot:
    """One bot, retired or not."""
    with store.read() as tx:
        return find(tx, name)


def list_bots(  # noqa: PLR0913, PLR0917  # what a list can be narrowed to
    store: Store,
    owner: str | None = None,
    game: str | None = None,
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
    beginning: str | None = None,
) -> Page[Bot]:
    """Bots by name, without the retired ones; `beginning` is how the name begins."""
    key = decode_cursor(cursor, "bots", str)
    after = None if key is None else str(key[0])
    plain_game = None if game is None else check_game(game)
    with store.read() as tx:
        if owner is not None and find_user(tx, owner) is None:
            raise NotFound(f"There is no user {owner[:60]!r}; check the name.", field="owner")
        found = rows.list_bots(tx, owner, plain_game, beginning, after, check_limit(limit) + 1)
    return page_of(found, limit, "bots", lambda bot: (bot.name,))


def versions(store: Store, bot: str, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Page[Version]:
    """A bot's versions, newest first."""
    below = decode_cursor(cursor, "versions", int)
    with store.read() as tx:
        find(tx, bot)
        found = rows.versions_of(tx, bot, None if below is None else int(below[0]), check_limit(limit) + 1)
    return page_of(found, limit, "versions", lambda version: (version.number,))


def version(store: Store, bot: str, number: int) -> Version:
    """One version, with what its qualification said."""
    with store.read() as tx:
        return _find_version(tx, bot, number)


def qualification(store: Store, bot: str, number: int) -> Match | None:
    """The match by which a version qualifies; None for a version that came without one."""
    with store.read() as tx:
        return matches.qualification_of(tx, _find_version(tx, bot, number).id)


def source(store: Store, user: User, bot: str, number: int) -> bytes:
    """The file as it was sent; its owner's alone."""
    with store.read() as tx:
        return rows.package_of(tx, _owned_version(tx, user, bot, number).id)


def log(store: Store, user: User, bot: str, number: int) -> str:
    """What the bot printed in its qualification, nothing before that was played; its owner's alone."""
    with store.read() as tx:
        return rows.log_of(tx, _owned_version(tx, user, bot, number).id) or ""


def retire(store: Store, user: User, name: str, now: Callable[[], datetime] = utc_now) -> Bot:
    """Take a bot out of everything to come and off every board; what it has played stays. Twice is once."""
    changed: tuple[str, ...] = ()
    with store.write() as tx:
        rows.lock_bots(tx, [name], to_change=True)
        bot = _managed(tx, user, name)
        if rows.retire(tx, bot.id, now()):
            changed = boards.take_off(tx, [bot.id])
        retired = find(tx, name)
    push_boards(store, changed)
    return retired


def set_open(store: Store, user: User, name: str, is_open: bool) -> Bot:
    """Say whether other people's tournaments may enter one's bot, from their start on."""
    with store.write() as tx:
        rows.set_open(tx, _managed(tx, user, name).id, is_open)
        return find(tx, name)


def find(tx: Connection, name: str) -> Bot:
    """The bot of this name; raises `NotFound`."""
    bot = rows.find_bot(tx, name)
    if bot is None:
        raise NotFound(f"There is no bot {name[:60]!r}; look for its name in the list of bots.", field="bot")
    return bot


def check_game(game: str) -> str:
    """The plain name of a game; raises `UnknownGame`, and `Invalid` for a ruleset."""
    with blaming("game"):
        name = games.load(game.partition(":")[0]).name
    if ":" in game:
        raise Invalid(f"{game[:60]!r} is a ruleset; a bot plays every ruleset of its game: say {name!r}.", field="game")
    return name


def _add_version(tx: Connection, bot: str, content: bytes, now: datetime) -> tuple[Bot, Version]:
    """The version and the match by which it qualifies, or neither."""
    found = find(tx, bot)
    version_id = rows.add_version(tx, found.id, hashlib.sha256(content).hexdigest(), content, now)
    qualification = matches.Qualification(
        ruleset=games.load(found.game).ruleset,
        match_format=QUALIFICATION_FORMAT,
        time_control=QUALIFICATION_TIME_CONTROL,
        seed=secrets.token_hex(32),
    )
    matches.add_qualification(tx, version_id, qualification, now)
    bot_now = find(tx, bot)
    return bot_now, _find_version(tx, bot, bot_now.latest_version)


def _find_version(tx: Connection, bot: str, number: int) -> Version:
    found = rows.find_version(tx, bot, number)
    if found is None:
        latest = find(tx, bot).latest_version
        raise NotFound(f"{bot} has no version {number}; its versions are 1 to {latest}.", field="number")
    return found


def _managed(tx: Connection, user: User, name: str) -> Bot:
    """The bot, if the user may change it."""
    bot = find(tx, name)
    check_may_change(user, bot)
    return bot


def _owned_version(tx: Connection, user: User, bot: str, number: int) -> Version:
    owner = find(tx, bot).owner
    if owner != user.name:
        raise Forbidden(f"{bot} belongs to {owner}; its source and its log are for its owner alone.")
    return _find_version(tx, bot, number)
