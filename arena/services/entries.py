"""Who may enter a tournament, and with which version of the bot."""

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import Connection

from arena.errors import Conflict, Forbidden, Invalid, NotFound
from arena.store import bots as rows
from arena.store import tournaments
from arena.store.accounts import User
from arena.store.bots import Bot
from arena.store.tournaments import Tournament

EVERY_BOT = "all"
FEWEST = 2
Pinned = list[tuple[int, int]]
"""Ids of bot and version, in the order of the schedule."""


def enter(tx: Connection, user: User, game: str, chosen: Sequence[str] | str, most: int) -> Pinned:
    """The bots that were named, or "all", with the version each would play; raises what forbids one of them."""
    if isinstance(chosen, str):
        if chosen != EVERY_BOT:
            raise Invalid(f"{chosen[:60]!r} is no list; name the bots in a list, or say {EVERY_BOT!r}.", field="bots")
        return _every_bot(tx, game, most)
    if EVERY_BOT in chosen:
        raise Invalid(f"{EVERY_BOT!r} stands alone for every bot; say only that, or name the bots.", field="bots")
    _check_number(len(chosen), most)
    name, times = Counter(chosen).most_common(1)[0]
    if times > 1:
        raise Invalid(f"{name[:60]!r} is named {times} times; name every bot once.", field="bots")
    rows.lock_bots(tx, chosen, to_change=False)
    found = rows.find_bots(tx, chosen)
    for name in chosen:
        _check_may_enter(found.get(name), name, user, game)
    return pin(tx, [found[name] for name in chosen])


def enter_who_may(tx: Connection, owner: str, game: str, names: Sequence[str] | None, most: int) -> Pinned:
    """Those of the bots that may play now in a tournament of this owner, or every open active bot."""
    if names is None:
        return _every_bot(tx, game, most)
    rows.lock_bots(tx, names, to_change=False)
    found = rows.find_bots(tx, names)
    entered = [found[name] for name in names if name in found and _may_still_enter(found[name], owner)]
    _check_number(len(entered), most)
    return pin(tx, entered)


def still_entered(tx: Connection, tournament: Tournament) -> list[Bot]:
    """The bots of a tournament that is about to start, without those that may not play any more, or have left."""
    names = [entrant.bot for entrant in tournaments.entrants_of(tx, tournament.id) if entrant.withdrawn_at is None]
    rows.lock_bots(tx, names, to_change=False)
    found = rows.find_bots(tx, names)
    entered = [bot for name in names if _may_still_enter(bot := found[name], tournament.owner)]
    if len(entered) < FEWEST:
        raise Conflict(f"{tournament.name} has fewer than {FEWEST} bots that may still play; create a new tournament.")
    return entered


def pin(tx: Connection, entered: Sequence[Bot]) -> Pinned:
    """Each bot with its newest active version."""
    newest = rows.newest_active_versions(tx, [bot.id for bot in entered])
    return [(bot.id, newest[bot.id]) for bot in entered]


def _every_bot(tx: Connection, game: str, most: int) -> Pinned:
    entered = rows.open_bots(tx, game, most + 1)
    _check_number(len(entered), most)
    rows.lock_bots(tx, [bot.name for bot in entered], to_change=False)
    return pin(tx, rows.open_bots(tx, game, most))         # once more, now that nobody can retire them


def _check_number(number: int, most: int) -> None:
    if not FEWEST <= number <= most:
        many = f"more than {most} bots" if number > most else "1 bot" if number == 1 else f"{number} bots"
        raise Invalid(f"{many}; a tournament has {FEWEST} to {most}.", field="bots")


def _check_may_enter(bot: Bot | None, name: str, user: User, game: str) -> None:
    if bot is None:
        raise NotFound(f"There is no bot {name[:60]!r}; look for its name in the list of bots.", field="bots")
    if bot.game != game:
        raise Invalid(f"{name} plays {bot.game}, not {game}; enter bots of one game.", field="bots")
    if bot.retired_at is not None:
        raise Invalid(f"{name} is retired; leave it out.", field="bots")
    if bot.active_version is None:
        raise Invalid(f"{name} has no active version; leave it out until one has qualified.", field="bots")
    if not bot.is_open and bot.owner != user.name:
        raise Forbidden(f"{name} is kept out of other people's tournaments by {bot.owner}; leave it out.", field="bots")


def _may_still_enter(bot: Bot, owner: str) -> bool:
    may_play = bot.retired_at is None and bot.active_version is not None
    return may_play and (bot.is_open or bot.owner == owner)
