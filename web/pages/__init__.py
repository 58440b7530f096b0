"""Pages for people: what is here, the boards, a tournament, a match. They read through the same services as the API."""

from flask import Blueprint, render_template, request

from arena import games
from arena.match.record import to_text
from arena.services import leaderboards, matches, standings, tournaments
from arena.store.tournaments import RUNNING
from web.context import store
from web.pages.wording import half_points, when

blueprint = Blueprint("pages", __name__)
blueprint.add_app_template_filter(half_points)
blueprint.add_app_template_filter(when)

LEADERS = 5
NEWEST = 10
LARGEST_CROSSTABLE = 16         # columns that still fit a screen


@blueprint.get("/")
def home() -> str:
    """Every game with its leaders; the tournaments being played and the newest ones."""
    return render_template(
        "home.html",
        games=games.describe(),
        boards={name: leaderboards.page(store(), name, limit=LEADERS) for name in games.names()},
        others=[board for board in leaderboards.list_boards(store()) if board.ruleset not in games.names()],
        running=tournaments.list_tournaments(store(), state=RUNNING, limit=NEWEST).items,
        newest=tournaments.list_tournaments(store(), limit=NEWEST).items,
    )


@blueprint.get("/leaderboards/<ruleset:ruleset>")
def board(ruleset: str) -> str:
    """A leaderboard as a table, page by page."""
    page = leaderboards.page(store(), ruleset, cursor=request.args.get("cursor"))
    return render_template("board.html", board=page, rules=games.load(ruleset))


@blueprint.get("/tournaments/<id:tournament_id>")
def tournament(tournament_id: int) -> str:
    """How far a tournament is, its standings, and its crosstable if it fits."""
    lines = standings.standings(store(), tournament_id)
    is_small = len(lines) <= LARGEST_CROSSTABLE
    return render_template(
        "tournament.html",
        tournament=tournaments.show(store(), tournament_id),
        lines=lines,
        crosstable=standings.crosstable(store(), tournament_id) if is_small else None,
        matches=matches.list_matches(store(), tournament_id=tournament_id, cursor=request.args.get("cursor")),
    )


@blueprint.get("/matches/<id:match_id>")
def match(match_id: int) -> str:
    """A match, and once it is finished its whole record."""
    found = matches.match(store(), match_id)
    record = to_text(matches.record(store(), match_id)) if found.state == "finished" else None
    return render_template("match.html", match=found, record=record)
