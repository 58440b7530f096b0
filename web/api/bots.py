"""Bots: submit, look, retire. What they earned: ratings.py and matches.py."""

from dataclasses import asdict
from typing import Any

from flask import Response, url_for

from arena.errors import Conflict, Forbidden, NameTaken, NotFound, QuotaExceeded
from arena.services import bots, diagnosis
from arena.store.accounts import User
from arena.store.bots import Bot, Version
from arena.store.paging import Page
from web.api.blueprint import LOCATION, TEXT, ZIP, Noun, package_file, private_file
from web.api.schemas.bots import (
    BotAnswer,
    BotList,
    BotQuery,
    BotSettings,
    BotUpload,
    FailuresAnswer,
    SubmittedAnswer,
    VersionAnswer,
    VersionList,
    VersionUpload,
)
from web.api.schemas.fields import PageQuery
from web.context import store

blueprint = Noun("bots", "Programs that play, and their versions.")
UPLOADS = "120 per hour"


@blueprint.post("/bots")
@blueprint.limited(UPLOADS)
@blueprint.login
@blueprint.arguments(BotUpload, location="multipart")
@blueprint.response(201, SubmittedAnswer, headers=LOCATION)
@blueprint.fails(NameTaken, QuotaExceeded)
def submit(user: User, form: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Submit a bot. Its first version is checked by a worker before it may play."""
    file = form["file"]
    bot, version = bots.submit(store(), user, form["name"], form["game"], file.filename, file.stream.read())
    return {**asdict(bot), "version": version}, {"Location": url_for("bots.show", bot=bot.name)}


@blueprint.post("/bots/<name:bot>/versions")
@blueprint.limited(UPLOADS)
@blueprint.login
@blueprint.arguments(VersionUpload, location="multipart")
@blueprint.response(201, VersionAnswer, headers=LOCATION)
@blueprint.fails(NotFound, Forbidden, Conflict)
def submit_version(user: User, form: dict[str, Any], bot: str) -> tuple[Version, dict[str, str]]:
    """Submit a new version of your bot. The old one plays until the new one is active."""
    file = form["file"]
    _, version = bots.submit_version(store(), user, bot, file.filename, file.stream.read())
    return version, {"Location": url_for("bots.show_version", bot=bot, number=version.number)}


@blueprint.get("/bots")
@blueprint.arguments(BotQuery, location="query")
@blueprint.response(200, BotList)
@blueprint.fails(NotFound)
def list_bots(query: dict[str, Any]) -> Page[Bot]:
    """All bots by name, or those of an owner or a game, or whose names begin so."""
    return bots.list_bots(store(), **query)


@blueprint.get("/bots/<name:bot>")
@blueprint.response(200, BotAnswer)
@blueprint.fails(NotFound)
def show(bot: str) -> Bot:
    """One bot."""
    return bots.show(store(), bot)


@blueprint.patch("/bots/<name:bot>")
@blueprint.login
@blueprint.arguments(BotSettings)
@blueprint.response(200, BotAnswer)
@blueprint.fails(NotFound, Forbidden)
def change(user: User, body: dict[str, Any], bot: str) -> Bot:
    """Let other people's tournaments enter your bot, or not."""
    return bots.set_open(store(), user, bot, body["is_open"])


@blueprint.delete("/bots/<name:bot>")
@blueprint.login
@blueprint.response(204)
@blueprint.fails(NotFound, Forbidden)
def retire(user: User, bot: str) -> Response:
    """Retire your bot: it enters no further tournament; what it played stays."""
    bots.retire(store(), user, bot)
    return Response(status=204)


@blueprint.get("/bots/<name:bot>/versions")
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, VersionList)
@blueprint.fails(NotFound)
def list_versions(query: dict[str, Any], bot: str) -> Page[Version]:
    """The versions of a bot, the newest first."""
    return bots.versions(store(), bot, **query)


@blueprint.get("/bots/<name:bot>/versions/<number:number>")
@blueprint.response(200, VersionAnswer)
@blueprint.fails(NotFound)
def show_version(bot: str, number: int) -> Version:
    """One version, and what its qualification said."""
    return bots.version(store(), bot, number)


@blueprint.get("/bots/<name:bot>/failures")
@blueprint.login
@blueprint.response(200, FailuresAnswer)
@blueprint.fails(NotFound, Forbidden)
def list_failures(user: User, bot: str) -> diagnosis.Diagnosis:
    """The games your bot lost by a fault: position, clock, and the last lines it printed; for its owner alone."""
    return diagnosis.diagnose(store(), user, bot)


@blueprint.get("/bots/<name:bot>/versions/<number:number>/source")
@blueprint.login
@blueprint.response(200, {"type": "string", "format": "binary"}, content_type=TEXT)
@blueprint.alt_response(200, schema={"type": "string", "format": "binary"}, content_type=ZIP)
@blueprint.fails(NotFound, Forbidden)
def show_source(user: User, bot: str, number: int) -> Response:
    """The file as it was sent; for its owner alone."""
    return package_file(bots.source(store(), user, bot, number), bot, number)


@blueprint.get("/bots/<name:bot>/versions/<number:number>/log")
@blueprint.login
@blueprint.response(200, {"type": "string"}, content_type=TEXT)
@blueprint.fails(NotFound, Forbidden)
def show_log(user: User, bot: str, number: int) -> Response:
    """What the bot printed in its qualification; for its owner alone."""
    return private_file(bots.log(store(), user, bot, number).encode(), TEXT, f"{bot}-{number}.log")
