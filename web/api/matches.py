"""Matches: one by one, their games, their records; and those of a bot or a tournament."""

from typing import Any

from flask import Response, jsonify, request

from arena.errors import Conflict, Forbidden, NotFound
from arena.match.record import GameRecord, to_json, to_text
from arena.services import matches
from arena.store.accounts import User
from arena.store.matches import Match
from arena.store.paging import Page
from web.api.blueprint import Noun, private_file
from web.api.schemas.fields import PageQuery
from web.api.schemas.matches import MatchAnswer, MatchList, PlayedGameAnswer
from web.context import store

blueprint = Noun("matches", "Games of two bots under one format.")
SEATS = ("first", "second")


@blueprint.get("/tournaments/<id:tournament_id>/matches")
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, MatchList)
@blueprint.fails(NotFound)
def of_tournament(query: dict[str, Any], tournament_id: int) -> Page[Match]:
    """The matches of a tournament, in the order of its schedule; those not yet due are missing."""
    return matches.list_matches(store(), tournament_id=tournament_id, **query)


@blueprint.get("/bots/<name:bot>/matches")
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, MatchList)
@blueprint.fails(NotFound)
def of_bot(query: dict[str, Any], bot: str) -> Page[Match]:
    """The matches of a bot, the newest first."""
    return matches.list_matches(store(), bot=bot, **query)


@blueprint.get("/matches/<id:match_id>")
@blueprint.response(200, MatchAnswer)
@blueprint.fails(NotFound)
def show(match_id: int) -> Match:
    """One match and how far it is."""
    return matches.match(store(), match_id)


@blueprint.get("/matches/<id:match_id>/games/<number:number>")
@blueprint.response(200, PlayedGameAnswer)
@blueprint.fails(NotFound, Conflict)
def show_game(match_id: int, number: int) -> GameRecord:
    """One game of a finished match, counted from 1: every move and every turn's time."""
    return matches.game(store(), match_id, number)


@blueprint.get("/matches/<id:match_id>/record")
@blueprint.response(200, {"type": "object"}, content_type="application/json")
@blueprint.alt_response(200, schema={"type": "string"}, content_type="text/plain")
@blueprint.fails(NotFound, Conflict)
def show_record(match_id: int) -> Response:
    """The whole record of a finished match, as JSON or (`Accept: text/plain`) to be read."""
    record = matches.record(store(), match_id)
    if request.accept_mimetypes.best_match(["application/json", "text/plain"]) == "text/plain":
        return Response(to_text(record), mimetype="text/plain")
    return jsonify(to_json(record))


@blueprint.get("/matches/<id:match_id>/logs/<seat:seat>")
@blueprint.login
@blueprint.response(200, {"type": "string"}, content_type="text/plain")
@blueprint.fails(NotFound, Forbidden, Conflict)
def show_log(user: User, match_id: int, seat: str) -> Response:
    """What your bot printed in a finished match; for its owner alone."""
    log = matches.log(store(), user, match_id, SEATS.index(seat))
    return private_file(log.encode(), "text/plain", f"match-{match_id}-{seat}.log")
