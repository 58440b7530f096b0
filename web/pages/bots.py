"""Bots: all of them, and one with where it stands, how it got there, against whom, and what became of its versions."""

from flask import render_template, request

from arena import games
from arena.errors import NotFound
from arena.services import bots, careers, diagnosis, endings, leaderboards
from arena.services.careers import Career
from arena.store.leaderboards import BoardEntry
from web import sessions
from web.context import store
from web.pages import plots, versions
from web.pages.finding import name_wanted

VERSIONS = 20
SPANS = (50, 100, 200, 500)     # matches that the curve can show
SPAN = 100
LISTED = 50                     # changes in the table beside it
OPPONENTS = 40


def list_bots() -> str:
    """All bots by name; `?game=` are those that play one, `?find=` those whose names begin so."""
    game, wanted = request.args.get("game") or None, name_wanted()
    game = None if game is None else bots.check_game(game)
    page = bots.list_bots(store(), game=game, cursor=request.args.get("cursor"), beginning=wanted or None)
    titles = {name: games.load(name).title for name in games.names()}
    return render_template("bots.html", page=page, game=game, wanted=wanted, titles=titles)


def show(name: str) -> str:
    """The page of a bot; `?ruleset=` chooses the rating, `?last=` how many matches the curve shows."""
    career = careers.career(store(), name, request.args.get("ruleset") or None)
    span = _span()
    listed = bots.versions(store(), name, limit=VERSIONS).items
    user = sessions.visitor()
    seen = diagnosis.diagnose(store(), user, name) if user is not None and versions.owns(user, career.bot) else None
    return render_template(
        "bot.html",
        career=career,
        entry=_entry(career),
        versions=listed,
        match=bots.qualification(store(), name, listed[0].number) if listed else None,
        is_own=seen is not None,
        diagnosis=seen,
        usage=None if seen is None else plots.usage(seen.times, seen.turn_ms),
        curve=plots.curve(career.points[:span]),
        span=span,
        spans=SPANS,
        listed=career.points[:LISTED],
        opponents=career.opponents[:OPPONENTS],
        faults=endings.FAULTS,
    )


def _entry(career: Career) -> BoardEntry | None:
    """Its line on the board."""
    if not career.ruleset or career.bot.retired_at is not None:
        return None
    try:
        return leaderboards.page(store(), career.ruleset, limit=1, around=career.bot.name).entries[0]
    except NotFound:
        return None


def _span() -> int:
    text = request.args.get("last", "")
    return int(text) if text in map(str, SPANS) else SPAN
