"""A game of a match to be watched: the page, the game as the board takes it, and every board as text."""

from collections.abc import Iterator
from dataclasses import dataclass

from flask import Blueprint, Response, jsonify, render_template, request

from arena.errors import Invalid
from arena.games import NORTH, SOUTH, Position, notation
from arena.services import matches, replays
from arena.services.frames import Turn, rows_of
from arena.services.replays import Replay
from web.context import store
from web.pages import film

blueprint = Blueprint("replay", __name__)

LISTED = 120                    # turns in the list for readers without script
FRESH_SECONDS = 600             # a finished game stays as it is
SIDES = ("South", "North")


@dataclass(frozen=True, slots=True)
class Cell:
    """A pit in a table of the board: its place in `Position.pits`, the number its owner calls it by, its seeds."""

    place: int
    number: int
    seeds: int


@dataclass(frozen=True, slots=True)
class Still:
    """One moment of a game: what is shown without script, and where the viewer opens with it.

    `listed` are the turns around this moment, not all of a long game.
    """

    ply: int
    plies: int
    board: Position
    listed: tuple[Turn, ...]


@blueprint.get("/matches/<id:match_id>/games/<number:number>")
def show(match_id: int, number: int) -> str:
    """The replay; `?ply=` is the moment at which it opens."""
    replay = replays.replay(store(), match_id, number)
    still = still_of(replay, _count("ply"))
    return render_template("replay.html", match=matches.match(store(), match_id), replay=replay, still=still)


@blueprint.get("/matches/<id:match_id>/games/<number:number>/replay.json")
def turns(match_id: int, number: int) -> Response:
    """The game as the board takes it, from ply `?first=` on (web/pages/film.py)."""
    answer = jsonify(film.of_replay(replays.replay(store(), match_id, number), _count("first")))
    answer.headers["Cache-Control"] = f"public, max-age={FRESH_SECONDS}"
    return answer


@blueprint.get("/matches/<id:match_id>/games/<number:number>/boards.txt")
def boards(match_id: int, number: int) -> Response:
    """Every turn and the board after it, as plain text."""
    return Response("\n".join(_texts(replays.replay(store(), match_id, number))), mimetype="text/plain")


def still_of(replay: Replay, ply: int) -> Still:
    """The game after so many turns, or at its end."""
    plies = len(replay.turns)
    ply = min(ply, plies)
    begin = max(0, min(ply - LISTED // 2, plies - LISTED))
    return Still(ply, plies, replay.board(ply), replay.turns[begin : begin + LISTED])


@blueprint.app_template_filter("board_rows")
def board_rows(position: Position) -> list[tuple[str, list[Cell]]]:
    """The rows of a board from the top as South sees it, each with its name and its pits."""
    rules, half = position.rules, position.rules.pits_a_side
    names = (SIDES[NORTH], SIDES[SOUTH])
    if rules.rows == 2:
        names = ("North outer", "North inner", "South inner", "South outer")        # type: ignore[assignment]
    return [
        (name, [Cell(place, place % half, position.pits[place]) for place in row])
        for name, row in zip(names, rows_of(rules), strict=True)
    ]


@blueprint.app_template_filter("board_text")
def board_text(position: Position) -> str:
    """The board as text."""
    return notation.board(position)


@blueprint.app_template_filter("position_text")
def position_text(position: Position) -> str:
    """The position as an address takes it."""
    return notation.position_text(position)


def _texts(replay: Replay) -> Iterator[str]:
    south, north = replay.bots
    yield f"{replay.rules.ruleset}, game {replay.number}: South {south.name}, North {north.name}\n"
    yield f"{notation.board(replay.start)}\n"
    for turn in replay.turns:
        yield f"{turn.ply + 1}. {SIDES[turn.side]} {turn.text}\n\n{notation.board(turn.after)}\n"
    yield f"{replay.end}\n"


def _count(parameter: str) -> int:
    """A number of turns out of the query, 0 when it is left out.  Raises: Invalid."""
    text = request.args.get(parameter, "0")
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise Invalid(f"{parameter} is a number of turns from 0 up, not {text[:40]!r}.", field=parameter)
    return int(text)
