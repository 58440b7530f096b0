"""Leaderboards: which there are, and one of them page by page, or around a bot."""

from typing import Any

from flask import render_template, request

from arena import games
from arena.errors import NotFound
from arena.services import careers, leaderboards
from web.context import store
from web.pages import plots
from web.pages.finding import name_wanted

LINES = 50
AROUND = 15
FOUND = 20                      # names offered to a search


def list_boards() -> str:
    """Every ruleset with a board, the games' own first."""
    boards = {board.ruleset: board for board in leaderboards.list_boards(store())}
    titles = {name: games.load(name).title for name in games.names()}
    return render_template("boards.html", boards=boards, titles=titles)


def show(ruleset: str) -> str:
    """One board; `?find=` is a bot to look for, or how its name begins."""
    rules = games.load(ruleset)
    wanted = name_wanted()
    board, names = _board(ruleset, wanted)
    lately = careers.lately(store(), board.ruleset, [entry.bot for entry in board.entries])
    sparks = {name: plots.spark(one.curve) for name, one in lately.items()}
    return render_template(
        "board.html", board=board, rules=rules, lately=lately, sparks=sparks, wanted=wanted, names=names
    )


def _board(ruleset: str, wanted: str) -> tuple[Any, tuple[str, ...] | None]:
    """The part of the board to show, and the names that a search without success offers instead."""
    if not wanted:
        return leaderboards.page(store(), ruleset, limit=LINES, cursor=request.args.get("cursor")), None
    try:
        return leaderboards.page(store(), ruleset, limit=AROUND, around=wanted), None
    except NotFound:
        return leaderboards.page(store(), ruleset, limit=LINES), careers.names_beginning(store(), wanted, FOUND)
