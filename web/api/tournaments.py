"""Tournaments: create, run, follow."""

from typing import Any

from flask import url_for

from arena.errors import Conflict, Forbidden, NameTaken, NotFound, QuotaExceeded
from arena.services import standings as tables
from arena.services import tournaments
from arena.store.accounts import User
from arena.store.paging import Page
from arena.store.tournaments import Tournament
from web.api.blueprint import LOCATION, Noun
from web.api.schemas.tournaments import (
    CrosstableAnswer,
    CrosstableQuery,
    NewTournament,
    StandingsAnswer,
    TournamentAnswer,
    TournamentList,
    TournamentQuery,
    Withdrawal,
)
from web.context import store

blueprint = Noun("tournaments", "Round robins: who meets whom, and who leads.")
CREATIONS = "120 per hour"


@blueprint.post("/tournaments")
@blueprint.limited(CREATIONS)
@blueprint.login
@blueprint.arguments(NewTournament)
@blueprint.response(201, TournamentAnswer, headers=LOCATION)
@blueprint.fails(NameTaken, QuotaExceeded, NotFound)
def create(user: User, body: dict[str, Any]) -> tuple[Tournament, dict[str, str]]:
    """Create a tournament of bots under one ruleset; `start` lets it play."""
    created = tournaments.create(store(), user, **body)
    return created, {"Location": url_for("tournaments.show", tournament_id=created.id)}


@blueprint.get("/tournaments")
@blueprint.arguments(TournamentQuery, location="query")
@blueprint.response(200, TournamentList)
def list_tournaments(query: dict[str, Any]) -> Page[Tournament]:
    """All tournaments, the newest first."""
    return tournaments.list_tournaments(store(), **query)


@blueprint.get("/tournaments/<id:tournament_id>")
@blueprint.response(200, TournamentAnswer)
@blueprint.fails(NotFound)
def show(tournament_id: int) -> Tournament:
    """One tournament and how far it is."""
    return tournaments.show(store(), tournament_id)


@blueprint.post("/tournaments/<id:tournament_id>/start")
@blueprint.login
@blueprint.response(200, TournamentAnswer)
@blueprint.fails(NotFound, Forbidden, Conflict, QuotaExceeded)
def start(user: User, tournament_id: int) -> Tournament:
    """Start it, or go on after a pause; nothing happens when it runs."""
    return tournaments.start(store(), user, tournament_id)


@blueprint.post("/tournaments/<id:tournament_id>/pause")
@blueprint.login
@blueprint.response(200, TournamentAnswer)
@blueprint.fails(NotFound, Forbidden, Conflict)
def pause(user: User, tournament_id: int) -> Tournament:
    """Let no further match begin; those being played go on."""
    return tournaments.pause(store(), user, tournament_id)


@blueprint.post("/tournaments/<id:tournament_id>/cancel")
@blueprint.login
@blueprint.response(200, TournamentAnswer)
@blueprint.fails(NotFound, Forbidden, Conflict)
def cancel(user: User, tournament_id: int) -> Tournament:
    """End it now; finished matches count, the others are void."""
    return tournaments.cancel(store(), user, tournament_id)


@blueprint.post("/tournaments/<id:tournament_id>/withdraw")
@blueprint.login
@blueprint.arguments(Withdrawal)
@blueprint.response(200, TournamentAnswer)
@blueprint.fails(NotFound, Forbidden, Conflict)
def withdraw(user: User, body: dict[str, Any], tournament_id: int) -> Tournament:
    """Take a bot out, as who runs the tournament; before its start the owner of the bot may do so, too."""
    return tournaments.withdraw(store(), user, tournament_id, body["bot"])


@blueprint.post("/tournaments/<id:tournament_id>/rerun-void")
@blueprint.login
@blueprint.response(200, TournamentAnswer)
@blueprint.fails(NotFound, Forbidden, Conflict)
def rerun_void(user: User, tournament_id: int) -> Tournament:
    """Play the void matches once more."""
    return tournaments.rerun_void(store(), user, tournament_id)


@blueprint.get("/tournaments/<id:tournament_id>/standings")
@blueprint.response(200, StandingsAnswer)
@blueprint.fails(NotFound)
def standings(tournament_id: int) -> dict[str, Any]:
    """Who leads, with every tie-break."""
    return {"items": tables.standings(store(), tournament_id), "next": None}


@blueprint.get("/tournaments/<id:tournament_id>/crosstable")
@blueprint.arguments(CrosstableQuery, location="query")
@blueprint.response(200, CrosstableAnswer)
@blueprint.fails(NotFound)
def crosstable(query: dict[str, Any], tournament_id: int) -> dict[str, Any]:
    """What every bot made against every other, the leaders first; pairs that have not met are missing."""
    table = tables.crosstable(store(), tournament_id, query["limit"])
    cells = [
        {"bot": bot, "opponent": opponent, "matches": cell.matches, "score": cell.score, "points": cell.points}
        for bot, row in zip(table.bots, table.cells, strict=True)
        for opponent, cell in zip(table.bots, row, strict=True)
        if cell is not None
    ]
    return {"bots": table.bots, "size": table.size, "cells": cells}
