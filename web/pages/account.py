"""Sign up, log in and out, and one's own page: bots, tournaments, tokens, password."""

from flask import Blueprint, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from arena.errors import Invalid
from arena.services import accounts, bots, tournaments
from arena.store.accounts import User
from arena.store.paging import MAX_LIMIT
from web import sessions
from web.api.blueprint import limited, limited_as
from web.api.schemas.accounts import Registration, TokenRequest
from web.context import store
from web.forms import Form
from web.sessions import logged_in

blueprint = Blueprint("account", __name__)

SIGN_UP = ("name", "password", "again")
LOG_IN = ("name", "password")
PASSWORD = ("password", "new_password", "again")
OF_TOKEN = ("label",)
GUESSES = "10 per minute"
Answer = str | Response | tuple[str, int]


@blueprint.get("/sign-up")
def sign_up() -> Answer:
    """A form for a new account."""
    sessions.check_key()
    return _page("sign-up.html", Form(*SIGN_UP))


@blueprint.post("/sign-up")
@limited_as("accounts.register")
def register() -> Answer:
    """Make the account; this browser is logged in at once."""
    sessions.check_key()
    form = Form.sent(*SIGN_UP)
    with form.noting_faults():
        _check_again(form, "password")
        body = Registration().load(form.given("name", "password"))
        user, token = accounts.register(store(), **body, label=accounts.BROWSER)
        sessions.begin(token)
        sessions.say(f"Welcome, {user.name}. Your account is ready: submit a bot, or read the rules of a game first.")
        return redirect(_next())
    return _page("sign-up.html", form)


@blueprint.get("/log-in")
def log_in() -> Answer:
    """A form for name and password; `?next=` is where to go on."""
    sessions.check_key()
    return _page("log-in.html", Form(*LOG_IN))


@blueprint.post("/log-in")
@limited_as("accounts.create_token")
def enter() -> Answer:
    """Let this browser in."""
    sessions.check_key()
    form = Form.sent(*LOG_IN)
    with form.noting_faults():
        sessions.begin(accounts.log_in(store(), form.text("name"), form.text("password")))
        return redirect(_next())
    return _page("log-in.html", form)


@blueprint.post("/log-out")
def log_out() -> Answer:
    """Let it out again; its token is worth nothing any more."""
    sessions.check_key()
    sessions.end()
    return redirect(url_for("pages.home"))


@blueprint.get("/account")
@logged_in
def show(user: User) -> Answer:
    """What one has, and where one is logged in."""
    return _account_page(user)


@blueprint.post("/account/tokens")
@limited(GUESSES)
@logged_in
def add_token(user: User) -> Answer:
    """A new token, shown once on the page that follows."""
    form = Form.sent(*OF_TOKEN)
    with form.noting_faults():
        body = TokenRequest().load({"name": form.text("label")})
        session[sessions.NEW_TOKEN] = accounts.add_token(store(), user, body["name"])
        return redirect(url_for("account.show", _anchor="tokens"))
    return _account_page(user, token_form=_with_label(form))


@blueprint.post("/account/tokens/<id:token_id>/revoke")
@logged_in
def revoke_token(user: User, token_id: int) -> Answer:
    """Take a token back, or log another browser out."""
    accounts.revoke_token(store(), user, token_id)
    sessions.say("The token is revoked.")
    return redirect(url_for("account.show", _anchor="tokens"))


@blueprint.post("/account/password")
@limited(GUESSES)
@logged_in
def change_password(user: User) -> Answer:
    """Another password; all other browsers are logged out."""
    form = Form.sent(*PASSWORD)
    with form.noting_faults():
        _check_again(form, "new_password")
        sessions.begin(accounts.change_password(store(), user, form.text("password"), form.text("new_password")))
        sessions.say("Your password is changed, and every other browser is logged out.")
        return redirect(url_for("account.show"))
    return _account_page(user, password_form=form)


def _page(template: str, form: Form) -> Answer:
    """A form by which one comes in, and goes on to where one came from."""
    return render_template(template, form=form, next=request.values.get("next", "")), form.status


def _account_page(user: User, token_form: Form | None = None, password_form: Form | None = None) -> Answer:
    held = accounts.tokens(store(), user)
    page = render_template(
        "account.html",
        user=user,
        bots=bots.list_bots(store(), owner=user.name, limit=MAX_LIMIT).items,
        tournaments=tournaments.list_tournaments(store(), owner=user.name).items,
        tokens=[token for token in held if token.name != accounts.BROWSER],
        browsers=[token for token in held if token.name == accounts.BROWSER],
        fresh=session.pop(sessions.NEW_TOKEN, None),
        token_form=token_form or Form(*OF_TOKEN),
        password_form=password_form or Form(*PASSWORD),
    )
    return page, max((form.status for form in (token_form, password_form) if form is not None), default=200)


def _check_again(form: Form, field: str) -> None:
    """A password that nobody can look up is typed twice."""
    if form.text("again") != form.text(field):
        raise Invalid("The two passwords differ; type the same one twice.", field="again")


def _with_label(form: Form) -> Form:
    """What the schema says of `name` stands beside `label`, as the page calls it."""
    if "" in form.faults:
        form.faults["label"] = form.faults.pop("")
    return form


def _next() -> str:
    return sessions.local_path(request.form.get("next"), url_for("account.show"))
