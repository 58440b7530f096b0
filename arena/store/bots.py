"""Bots and their versions, as rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Connection, Select, and_, func, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from arena.errors import NameTaken
from arena.store.boards import name_begins_with
from arena.store.schema import bots, entrants, users, versions

ACTIVE, CHECKING, PARKED = "active", "checking", "parked"


@dataclass(frozen=True, slots=True)
class Bot:
    """`active_version`: the newest one that passed its qualification; only that one can enter anything.

    There is none while a newer one is parked.
    """

    id: int
    name: str
    owner: str
    game: str
    is_open: bool
    created_at: datetime
    retired_at: datetime | None
    active_version: int | None
    latest_version: int
    banned_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """One upload; immutable but for its state. `fault_…` say why it was rejected or parked."""

    id: int
    bot: str
    number: int
    content_hash: str
    state: str
    fault_kind: str | None
    fault_message: str | None
    import_ms: int | None
    submitted_at: datetime
    decided_at: datetime | None


_parked = versions.alias("parked")
_LAST_PARKED = (
    select(func.coalesce(func.max(_parked.c.number), 0))
    .where(_parked.c.bot_id == versions.c.bot_id, _parked.c.state == PARKED)
    .correlate(versions)
    .scalar_subquery()
)
_MAY_PLAY = and_(versions.c.state == ACTIVE, versions.c.number > _LAST_PARKED)
_NEWEST = select(func.max(versions.c.number)).where(versions.c.bot_id == bots.c.id)
_BOT = (
    bots.c.id,
    bots.c.name,
    users.c.name,
    bots.c.game,
    bots.c.is_open,
    bots.c.created_at,
    bots.c.retired_at,
    _NEWEST.where(_MAY_PLAY).scalar_subquery(),
    _NEWEST.scalar_subquery(),
    bots.c.banned_at,
)
_VERSION = (
    versions.c.id,
    bots.c.name,
    versions.c.number,
    versions.c.content_hash,
    versions.c.state,
    versions.c.fault_kind,
    versions.c.fault_message,
    versions.c.import_ms,
    versions.c.submitted_at,
    versions.c.decided_at,
)


def add_bot(tx: Connection, owner_id: int, name: str, game: str, now: datetime) -> int:
    """A new bot without a version; raises `NameTaken`, also when another process was quicker by a moment."""
    values = {"owner_id": owner_id, "name": name, "game": game, "is_open": True, "created_at": now}
    try:
        added: int = tx.execute(insert(bots).values(values).returning(bots.c.id)).scalar_one()
    except IntegrityError as error:
        raise NameTaken(f"A bot is already called {name!r}; choose another name.", field="name") from error
    return added


def add_version(tx: Connection, bot_id: int, content_hash: str, package: bytes, now: datetime) -> int:
    """The next version of a bot, `checking`; hold the bot's lock. Returns the version's id."""
    newest = tx.execute(select(func.max(versions.c.number)).where(versions.c.bot_id == bot_id)).scalar_one()
    values = {
        "bot_id": bot_id,
        "number": (newest or 0) + 1,
        "content_hash": content_hash,
        "package": package,
        "state": CHECKING,
        "submitted_at": now,
    }
    added: int = tx.execute(insert(versions).values(values).returning(versions.c.id)).scalar_one()
    return added


def find_bot(tx: Connection, name: str) -> Bot | None:
    """The bot of this name, retired or not."""
    row = tx.execute(_bots().where(bots.c.name == name)).one_or_none()
    return None if row is None else Bot(*row)


def find_bots(tx: Connection, names: Sequence[str]) -> dict[str, Bot]:
    """Those of the bots that there are, by name."""
    return {row[1]: Bot(*row) for row in tx.execute(_bots().where(bots.c.name.in_(names)))}


def open_bots(tx: Connection, game: str, limit: int) -> list[Bot]:
    """Bots of a game that anybody may enter, by name, at most `limit`."""
    active = select(versions.c.id).where(versions.c.bot_id == bots.c.id, _MAY_PLAY)
    query = _bots().where(bots.c.game == game, bots.c.is_open, bots.c.retired_at.is_(None), active.exists())
    return [Bot(*row) for row in tx.execute(query.order_by(bots.c.name).limit(limit))]


def has_newcomer(tx: Connection, game: str, tournament_id: int | None) -> bool:
    """Whether an open active bot is not in this tournament with its newest version, and there is another to play."""
    newer = versions.alias("newer")
    is_newest = ~select(newer.c.id).where(
        newer.c.bot_id == versions.c.bot_id, newer.c.state == ACTIVE, newer.c.number > versions.c.number
    ).exists()
    playing = select(versions.c.id).join(bots, bots.c.id == versions.c.bot_id)
    playing = playing.where(bots.c.game == game, bots.c.is_open, bots.c.retired_at.is_(None), _MAY_PLAY, is_newest)
    entered = select(entrants.c.version_id).where(entrants.c.tournament_id == tournament_id)
    if tx.scalar(playing.where(versions.c.id.not_in(entered)).limit(1)) is None:
        return False
    return len(tx.execute(playing.limit(2)).all()) == 2


def is_checking(tx: Connection, game: str, since: datetime) -> bool:
    """Whether a version for this game that was submitted since then has still to qualify."""
    query = select(versions.c.id).join(bots, bots.c.id == versions.c.bot_id)
    checking = query.where(versions.c.state == CHECKING, versions.c.submitted_at >= since, bots.c.game == game)
    return tx.scalar(checking.limit(1)) is not None


def list_bots(  # noqa: PLR0913, PLR0917  # what a list can be narrowed to
    tx: Connection, owner: str | None, game: str | None, beginning: str | None, after: str | None, limit: int
) -> list[Bot]:
    """Bots that are not retired, by name; `beginning` is how the name begins."""
    query = _bots().where(bots.c.retired_at.is_(None)).order_by(bots.c.name).limit(limit)
    if owner is not None:
        query = query.where(users.c.name == owner)
    if game is not None:
        query = query.where(bots.c.game == game)
    if beginning is not None:
        query = query.where(name_begins_with(tx, beginning.lower()))
    if after is not None:
        query = query.where(bots.c.name > after)
    return [Bot(*row) for row in tx.execute(query)]


def lock_bots(tx: Connection, names: Sequence[str], *, to_change: bool) -> None:
    """Keep bots as they are until the transaction ends: nobody else retires them or adds versions."""
    query = select(bots.c.id).where(bots.c.name.in_(names)).order_by(bots.c.id)
    tx.execute(query.with_for_update(read=not to_change, key_share=to_change))


def retire(tx: Connection, bot_id: int, now: datetime) -> bool:
    """Whether it was not retired before."""
    done = tx.execute(update(bots).where(bots.c.id == bot_id, bots.c.retired_at.is_(None)).values(retired_at=now))
    return done.rowcount == 1


def ban(tx: Connection, bot_id: int, now: datetime) -> None:
    """Retire a bot, if it is not, and say that it was not its owner's wish."""
    tx.execute(update(bots).where(bots.c.id == bot_id).values(banned_at=now))
    retire(tx, bot_id, now)


def names_of_owner(tx: Connection, owner_id: int) -> list[str]:
    """Every bot of a user, the retired ones too, by name."""
    return list(tx.scalars(select(bots.c.name).where(bots.c.owner_id == owner_id).order_by(bots.c.name)))


def park(tx: Connection, version_id: int, kind: str, why: str, now: datetime) -> bool:
    """Let an active version play no more, and tell why; whether it was active."""
    active = and_(versions.c.id == version_id, versions.c.state == ACTIVE)
    values = {"state": PARKED, "fault_kind": kind, "fault_message": why, "decided_at": now}
    return tx.execute(update(versions).where(active).values(values)).rowcount == 1


def set_open(tx: Connection, bot_id: int, is_open: bool) -> None:
    """Whether other people's tournaments may enter the bot."""
    tx.execute(update(bots).where(bots.c.id == bot_id).values(is_open=is_open))


def find_version(tx: Connection, bot: str, number: int) -> Version | None:
    """One version of a bot."""
    row = tx.execute(_versions().where(bots.c.name == bot, versions.c.number == number)).one_or_none()
    return None if row is None else Version(*row)


def versions_of(tx: Connection, bot: str, below: int | None, limit: int) -> list[Version]:
    """A bot's versions, newest first, those with numbers `below` this one."""
    query = _versions().where(bots.c.name == bot).order_by(versions.c.number.desc()).limit(limit)
    if below is not None:
        query = query.where(versions.c.number < literal(below, BigInteger))
    return [Version(*row) for row in tx.execute(query)]


def newest_active_versions(tx: Connection, bot_ids: Sequence[int]) -> dict[int, int]:
    """Bot id to the id of its newest active version; retired bots and those without one are missing."""
    newest = (
        select(versions.c.bot_id, func.max(versions.c.number).label("number"))
        .where(versions.c.bot_id.in_(bot_ids), _MAY_PLAY)
        .group_by(versions.c.bot_id)
        .subquery()
    )
    query = (
        select(versions.c.bot_id, versions.c.id)
        .join(newest, (newest.c.bot_id == versions.c.bot_id) & (newest.c.number == versions.c.number))
        .join(bots, bots.c.id == versions.c.bot_id)
        .where(bots.c.retired_at.is_(None))
    )
    return {row.bot_id: row.id for row in tx.execute(query)}


def package_of(tx: Connection, version_id: int) -> bytes:
    """The file as it was sent; its owner's alone."""
    package: bytes = tx.execute(select(versions.c.package).where(versions.c.id == version_id)).scalar_one()
    return package


def log_of(tx: Connection, version_id: int) -> str | None:
    """What the bot printed in its qualification; its owner's alone."""
    log: str | None = tx.execute(select(versions.c.log).where(versions.c.id == version_id)).scalar_one()
    return log


def _bots() -> Select[*tuple[Any, ...]]:
    return select(*_BOT).join(users, users.c.id == bots.c.owner_id)


def _versions() -> Select[*tuple[Any, ...]]:
    return select(*_VERSION).join(bots, bots.c.id == versions.c.bot_id)
