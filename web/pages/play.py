"""A board to play on against a sample bot, and the moves behind it.  Nothing is stored: the page keeps the game."""

from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from arena.errors import Invalid
from arena.services import practice, samples
from web.api.blueprint import limited
from web.pages import film

blueprint = Blueprint("play", __name__)

RATE = "240 per minute"         # a bot thinks here for up to a sixth of a second


@blueprint.get("/play/<ruleset:ruleset>")
def show(ruleset: str) -> str:
    """The board at the start of a game; `?start=` is another position to begin with."""
    return render_template(
        "play.html",
        practice=practice.practise(ruleset, request.args.get("start"), ()),
        start=request.args.get("start"),
        bots=samples.names(),
    )


@blueprint.get("/play/<ruleset:ruleset>/board.json")
@limited(RATE)
def board(ruleset: str) -> Response:
    """The game after `?moves=` (numbers with dots between them), and after the answer of `?bot=` on `?side=`."""
    played = practice.practise(ruleset, request.args.get("start"), _moves(), **_opponent())
    return jsonify(film.of_practice(played))


def _moves() -> tuple[int, ...]:
    text = request.args.get("moves", "")
    words = text.split(".") if text else []
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) <= 3):
            raise Invalid(f"moves are numbers with dots between them, such as 2.11.0; {word[:20]!r} is none.",
                          field="moves")
    return tuple(int(word) for word in words)


def _opponent() -> dict[str, Any]:
    """Which sample bot answers, and for which side; nobody when no bot is named."""
    side = request.args.get("side", "1")
    if side not in ("0", "1"):
        raise Invalid(f"side is 0 (South) or 1 (North), not {side[:20]!r}.", field="side")
    bot = request.args.get("bot")
    return {"bot": bot, "bot_side": int(side)} if bot else {}
