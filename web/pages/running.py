"""Make a tournament by a form that knows the options of each game; start, pause, cancel it, take bots out."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from arena import games
from arena.errors import Conflict, Forbidden, QuotaExceeded
from arena.match.format import default_format, format_names, parse_format
from arena.match.openings import MAX_OPENING_PLIES
from arena.match.time_control import DEFAULT_TIME_CONTROL, PRESETS
from arena.ratings.eligibility import RATED_CYCLES
from arena.services import bots, standings, tournaments
from arena.services.beginning import MAX_CYCLES
from arena.services.entries import EVERY_BOT
from arena.services.rights import check_may_run, may_withdraw
from arena.store.accounts import User
from arena.store.bots import Bot
from arena.store.paging import MAX_LIMIT
from arena.store.tournaments import Tournament
from web import sessions
from web.api.blueprint import limited_as
from web.api.schemas.tournaments import NewTournament
from web.context import store
from web.forms import Form
from web.pages.wording import control_words, format_words
from web.sessions import logged_in

blueprint = Blueprint("running", __name__)

FIELDS = ("name", "ruleset", "bots", "more", "format", "time_control", "cycles", "opening_plies", "seed")
OPTION = "option-"
COUNTED = {"points-N": "first to so many points", "games-N": "so many games, most points"}
DEFAULTS = {"who": EVERY_BOT, "cycles": "1", "opening_plies": "4", "time_control": DEFAULT_TIME_CONTROL}
Answer = str | Response | tuple[str, int]


@blueprint.get("/tournaments/new")
@logged_in
def new_tournament(user: User) -> Answer:
    """First the game, then (`?game=`) everything else."""
    game = request.args.get("game", "")
    if game not in games.names():
        return _choice_of_game(Form())
    return _page(user, game, Form(*FIELDS, values=DEFAULTS))


@blueprint.post("/tournaments/new")
@limited_as("tournaments.create")
@logged_in
def create(user: User) -> Answer:
    """Create it and, if that was the button, start it."""
    form = Form.sent(*FIELDS)
    game = form.text("game")
    if game not in games.names():
        form.refuse("", f"{game[:60]!r} is none of the games; choose one of them.", HTTPStatus.UNPROCESSABLE_ENTITY)
        return _choice_of_game(form)
    with form.noting_faults():
        created = tournaments.create(store(), user, **NewTournament().load(_body(form, game)))
        if form.text("then") == "start":
            with _telling():
                tournaments.start(store(), user, created.id)
        return redirect(_address(created.id))
    return _page(user, game, form)


@blueprint.post("/tournaments/<id:tournament_id>/start")
@logged_in
def start(user: User, tournament_id: int) -> Answer:
    """Let it play, or go on."""
    return _done(tournaments.start, user, tournament_id)


@blueprint.post("/tournaments/<id:tournament_id>/pause")
@logged_in
def pause(user: User, tournament_id: int) -> Answer:
    """Let no further match begin."""
    return _done(tournaments.pause, user, tournament_id)


@blueprint.post("/tournaments/<id:tournament_id>/rerun-void")
@logged_in
def rerun_void(user: User, tournament_id: int) -> Answer:
    """Play the void matches once more."""
    return _done(tournaments.rerun_void, user, tournament_id)


@blueprint.get("/tournaments/<id:tournament_id>/cancel")
@logged_in
def confirm_cancelling(user: User, tournament_id: int) -> Answer:
    """Ask once more: it cannot be undone."""
    tournament = tournaments.show(store(), tournament_id)
    check_may_run(user, tournament)
    return render_template("cancel.html", tournament=tournament)


@blueprint.post("/tournaments/<id:tournament_id>/cancel")
@logged_in
def cancel(user: User, tournament_id: int) -> Answer:
    """End it now."""
    return _done(tournaments.cancel, user, tournament_id)


@blueprint.get("/tournaments/<id:tournament_id>/bots/<name:bot>/withdraw")
@logged_in
def confirm_withdrawal(user: User, tournament_id: int, bot: str) -> Answer:
    """Ask once more before a bot leaves."""
    tournament = tournaments.show(store(), tournament_id)
    line = next((line for line in standings.standings(store(), tournament_id) if line.bot == bot), None)
    if line is None or not may_withdraw(user, tournament, line.owner):
        raise Forbidden(f"Who runs {tournament.name} may withdraw {bot}, and its owner until it begins.")
    return render_template("withdraw.html", tournament=tournament, line=line)


@blueprint.post("/tournaments/<id:tournament_id>/bots/<name:bot>/withdraw")
@logged_in
def withdraw(user: User, tournament_id: int, bot: str) -> Answer:
    """Take it out."""
    return _done(lambda store, user, number: tournaments.withdraw(store, user, number, bot), user, tournament_id)


def _choice_of_game(form: Form) -> Answer:
    return render_template("new-tournament-game.html", form=form, games=games.describe()), form.status


def _page(user: User, game: str, form: Form) -> Answer:
    described = _described(game)
    for option in described["options"]:
        option["choices_in_words"] = _choices(option)
    page = render_template(
        "new-tournament.html",
        form=form,
        game=described,
        option=OPTION,
        is_changed=any(form.text(f"{OPTION}{option['name']}") for option in described["options"]),
        candidates=_candidates(user, game),
        chosen=set(form.values.getlist("bots")),
        formats=_formats(game),
        controls=[(name, control_words(name)) for name in PRESETS],
        most_cycles=MAX_CYCLES,
        rated_cycles=RATED_CYCLES,
        most_opening=MAX_OPENING_PLIES,
    )
    return page, form.status


def _described(game: str) -> dict[str, Any]:
    return next(one for one in games.describe() if one["name"] == game)


def _choices(option: dict[str, Any]) -> list[tuple[str, str]]:
    """The values of an option that has few, each with its words; "" is the usual one.  Empty for numbers."""
    usual, values = option["default"], option.get("choices", [True, False] if option["kind"] == "boolean" else [])
    words = {True: "yes", False: "no"} if option["kind"] == "boolean" else {value: str(value) for value in values}
    others = [(str(value).lower(), words[value]) for value in values if value != usual]
    return [("", f"{words[usual]} (as usual)"), *others] if values else []


def _candidates(user: User, game: str) -> list[Bot]:
    """Bots that this user may enter now, the user's own first; the first of them by name, where there are many."""
    own = bots.list_bots(store(), owner=user.name, game=game, limit=MAX_LIMIT).items
    others = [bot for bot in bots.list_bots(store(), game=game, limit=MAX_LIMIT).items if bot.owner != user.name]
    return [bot for bot in (*own, *others) if bot.active_version and (bot.is_open or bot.owner == user.name)]


def _formats(game: str) -> list[tuple[str, str]]:
    usual = default_format(game)
    named = [(name, parse_format(name).title) for name in format_names() if name not in COUNTED and name != usual]
    return [("", f"as usual: {format_words(usual)}"), *named, *COUNTED.items()]


def _body(form: Form, game: str) -> dict[str, Any]:
    """The form as the API would be asked."""
    return {
        "name": form.text("name"),
        "ruleset": _ruleset(form, game),
        "bots": _bots(form),
        "format": _format(form),
        "time_control": form.text("time_control") or None,
        "cycles": form.whole("cycles"),
        "opening_plies": form.whole("opening_plies"),
        "seed": form.text("seed") or None,
    }


def _ruleset(form: Form, game: str) -> str:
    """The game with the options that were chosen otherwise than usual."""
    described = _described(game)
    given = {option["name"]: form.text(f"{OPTION}{option['name']}").strip() for option in described["options"]}
    usual = {option["name"]: str(option["default"]).lower() for option in described["options"]}
    chosen = [f"{name}={value}" for name, value in given.items() if value and value.lower() != usual[name]]
    return f"{game}:{','.join(chosen)}" if chosen else game


def _bots(form: Form) -> list[str] | str:
    if form.text("who") == EVERY_BOT:
        return EVERY_BOT
    return list(dict.fromkeys([*form.values.getlist("bots"), *form.text("more").replace(",", " ").split()]))


def _format(form: Form) -> str | None:
    name = form.text("format")
    return name.replace("N", form.text("format_count").strip() or "?") if name in COUNTED else name or None


def _done(act: Callable[..., Tournament], user: User, tournament_id: int) -> Response:
    """Act, and go back to its page, which then says what stood in the way."""
    with _telling():
        act(store(), user, tournament_id)
    return redirect(_address(tournament_id))


@contextmanager
def _telling() -> Iterator[None]:
    try:
        yield
    except (Conflict, QuotaExceeded) as error:
        sessions.say(str(error))


def _address(tournament_id: int) -> str:
    return url_for("pages.tournament", tournament_id=tournament_id)
