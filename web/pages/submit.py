"""Submit a bot or its next version, and what its owner decides about it: who may enter it, and when it is over."""

from io import BytesIO

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response

from arena import games
from arena.errors import Invalid
from arena.match.time_control import DEFAULT_TIME_CONTROL
from arena.services import bots, packages
from arena.services.rights import check_may_change
from arena.store.accounts import User
from arena.store.bots import Bot
from web import sessions
from web.api.blueprint import limited_as
from web.api.schemas.bots import BotUpload, VersionUpload
from web.context import store
from web.forms import Form
from web.sessions import logged_in

blueprint = Blueprint("submit", __name__)

BOT = ("name", "game", "file", "source")
VERSION = ("file", "source")
PASTED = "bot.py"
Answer = str | Response | tuple[str, int]


@blueprint.get("/bots/new")
@logged_in
def new_bot(user: User) -> Answer:
    """A form for a new bot; `?game=` is chosen already."""
    form = Form(*BOT, values={"game": request.args.get("game", "")})
    return _page(form, None)


@blueprint.post("/bots/new")
@limited_as("bots.submit")
@logged_in
def submit(user: User) -> Answer:
    """Send it; its page then tells how the qualification goes."""
    form = Form.sent(*BOT)
    with form.noting_faults():
        body = BotUpload().load({**form.given("name", "game"), "file": _package(form)})
        file = body["file"]
        bot, _ = bots.submit(store(), user, body["name"], body["game"], file.filename, file.stream.read())
        return redirect(url_for("pages.bot", name=bot.name))
    return _page(form, None)


@blueprint.get("/bots/<name:name>/versions/new")
@logged_in
def new_version(user: User, name: str) -> Answer:
    """A form for the next version of one's own bot."""
    return _page(Form(*VERSION), _own(user, name))


@blueprint.post("/bots/<name:name>/versions/new")
@limited_as("bots.submit_version")
@logged_in
def submit_version(user: User, name: str) -> Answer:
    """Send it; the version that plays now goes on until this one is active."""
    form, bot = Form.sent(*VERSION), _own(user, name)
    with form.noting_faults():
        file = VersionUpload().load({"file": _package(form)})["file"]
        bots.submit_version(store(), user, name, file.filename, file.stream.read())
        return redirect(url_for("pages.bot", name=name))
    return _page(form, bot)


@blueprint.post("/bots/<name:name>/open")
@logged_in
def set_open(user: User, name: str) -> Answer:
    """Let other people's tournaments enter the bot, or keep it out."""
    bot = bots.set_open(store(), user, name, request.form.get("is_open") == "yes")
    sessions.say(f"Everybody may enter {name} now." if bot.is_open else f"Only you may enter {name} from now on.")
    return redirect(url_for("pages.bot", name=name))


@blueprint.get("/bots/<name:name>/retire")
@logged_in
def confirm_retirement(user: User, name: str) -> Answer:
    """Ask once more: it cannot be undone."""
    return render_template("retire.html", bot=_own(user, name))


@blueprint.post("/bots/<name:name>/retire")
@logged_in
def retire(user: User, name: str) -> Answer:
    """Take it out of everything to come."""
    bots.retire(store(), user, name)
    sessions.say(f"{name} is retired. What it has played stays.")
    return redirect(url_for("pages.bot", name=name))


def _page(form: Form, bot: Bot | None) -> Answer:
    page = render_template(
        "submit.html",
        form=form,
        bot=bot,
        games=[(game["name"], game["title"]) for game in games.describe()],
        most_source=packages.MAX_SOURCE,
        most_zip=packages.MAX_ZIP,
        most_unpacked=packages.MAX_UNPACKED,
        usual=DEFAULT_TIME_CONTROL,
    )
    return page, form.status


def _own(user: User, name: str) -> Bot:
    """A bot that this user may change."""
    bot = bots.show(store(), name)
    check_may_change(user, bot)
    return bot


def _package(form: Form) -> FileStorage:
    """The file that was chosen or dropped, or else the text that was pasted."""
    file, pasted = request.files.get("file"), form.text("source")
    if file is not None and file.filename:
        if pasted.strip():
            raise Invalid("A file is chosen and a program is pasted, too; leave out one of them.", field="source")
        return file
    if not pasted.strip():
        raise Invalid("Choose a file, or paste a program.", field="file")
    return FileStorage(BytesIO(pasted.replace("\r\n", "\n").encode()), PASTED)
