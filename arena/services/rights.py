"""Who may change what: asked by those who change it, and by pages that offer to.  Pure."""

from arena.errors import Forbidden
from arena.store.accounts import User
from arena.store.bots import Bot
from arena.store.tournaments import CREATED, Tournament


def may_run(user: User | None, tournament: Tournament) -> bool:
    """Whether this user, if any, may start, pause and cancel it."""
    return user is not None and (user.is_admin or user.name == tournament.owner)


def may_withdraw(user: User | None, tournament: Tournament, owner: str) -> bool:
    """Whether this user, if any, may take out a bot of this owner."""
    is_own = user is not None and user.name == owner and tournament.state == CREATED
    return is_own or may_run(user, tournament)


def check_may_run(user: User, tournament: Tournament) -> None:
    """Raises: Forbidden."""
    if not may_run(user, tournament):
        raise _run_by_another(tournament)


def check_may_withdraw(user: User, tournament: Tournament, owner: str) -> None:
    """Raises: Forbidden."""
    if not may_withdraw(user, tournament, owner):
        raise _run_by_another(tournament)


def check_may_change(user: User, bot: Bot) -> None:
    """Raises: Forbidden."""
    if bot.owner != user.name and not user.is_admin:
        raise Forbidden(f"{bot.name} belongs to {bot.owner}; only its owner or an admin may do this.")


def _run_by_another(tournament: Tournament) -> Forbidden:
    return Forbidden(f"{tournament.name} is run by {tournament.owner}; only they or an admin may do this.")
