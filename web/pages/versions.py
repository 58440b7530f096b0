"""One version of a bot: what its qualification said; for its owner also the program and what it printed."""

from flask import Response, render_template

from arena.services import bots, endings, sources
from arena.store.accounts import User
from arena.store.bots import Bot
from web import sessions
from web.api.blueprint import package_file
from web.context import store


def show(name: str, number: int) -> str:
    """The page of a version."""
    bot, version = bots.show(store(), name), bots.version(store(), name, number)
    user = sessions.visitor()
    mine = user if owns(user, bot) else None
    return render_template(
        "version.html",
        bot=bot,
        version=version,
        match=bots.qualification(store(), name, number),
        faults=endings.FAULTS,
        source=None if mine is None else sources.readable(bots.source(store(), mine, name, number)),
        log=None if mine is None else sources.visible(bots.log(store(), mine, name, number)),
    )


@sessions.logged_in
def file(user: User, name: str, number: int) -> Response:
    """The file as it was sent; for its owner alone."""
    return package_file(bots.source(store(), user, name, number), name, number)


def owns(user: User | None, bot: Bot) -> bool:
    """Whether this is the bot of this visitor."""
    return user is not None and user.name == bot.owner
