"""The front page: what this is, what is being played, who leads."""

from flask import render_template

from arena import games
from arena.services import leaderboards, tournaments
from arena.store.tournaments import RUNNING
from web.context import store

LEADERS = 5
NEWEST = 6


def show() -> str:
    """Every game with its leaders; the tournaments being played and the newest ones."""
    running = tournaments.list_tournaments(store(), state=RUNNING, limit=NEWEST).items
    newest = tournaments.list_tournaments(store(), limit=NEWEST).items
    known = {tournament.id for tournament in running}
    return render_template(
        "home.html",
        games=games.describe(),
        boards={name: leaderboards.page(store(), name, limit=LEADERS) for name in games.names()},
        running=running,
        newest=[tournament for tournament in newest if tournament.id not in known],
    )
