"""Leaderboards, and how a bot came to its ratings."""

from typing import Any

from arena.errors import NotFound
from arena.services import bots, leaderboards, ratings
from arena.services.leaderboards import Board
from arena.services.names import blaming
from arena.store.paging import Page
from arena.store.ratings import RatingChange
from web.api.blueprint import Noun
from web.api.schemas.leaderboards import BoardAnswer, BoardList, BoardQuery, HistoryQuery, RatingHistory
from web.context import store

blueprint = Noun("leaderboards", "Who is strongest, per ruleset, and why.")


@blueprint.get("/leaderboards")
@blueprint.response(200, BoardList)
def list_boards() -> dict[str, Any]:
    """Every ruleset that has a board."""
    return {"items": leaderboards.list_boards(store()), "next": None}


@blueprint.get("/leaderboards/<ruleset:ruleset>")
@blueprint.arguments(BoardQuery, location="query")
@blueprint.response(200, BoardAnswer)
@blueprint.fails(NotFound)
def show_board(query: dict[str, Any], ruleset: str) -> Board:
    """One board, best first; with `around`, the neighbours of a bot."""
    return leaderboards.page(store(), ruleset, **query)


@blueprint.get("/bots/<name:bot>/ratings")
@blueprint.arguments(HistoryQuery, location="query")
@blueprint.response(200, RatingHistory)
@blueprint.fails(NotFound)
def show_history(query: dict[str, Any], bot: str) -> Page[RatingChange]:
    """Every change of a bot's rating in a ruleset, the newest first, each explained."""
    ruleset = query.pop("ruleset") or bots.show(store(), bot).game
    with blaming("ruleset"):
        return ratings.history(store(), bot, ruleset, **query)
