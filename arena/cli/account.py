"""`arena login`: register or sign in, and remember it; `arena tokens`: what lets programs in."""

import os
import platform
import sys
from typing import Annotated

import typer

from arena.cli import options
from arena.cli.console import note, show, show_json
from arena.cli.tables import show_table
from arena.errors import Invalid

tokens = typer.Typer(no_args_is_help=True, help="Your tokens on a server: list, create, revoke.")


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command()(login)
    app.command()(whoami)
    app.add_typer(tokens, name="tokens")


def login(
    name: Annotated[str, typer.Argument(help="Your user name there.", show_default=False)],
    server: options.Server = None,
    is_new: Annotated[bool, typer.Option("--register", help="You are new there: make the account.")] = False,
) -> None:
    """Sign in to a server, or register, and remember it.

    The password is asked for; in scripts it comes from ARENA_PASSWORD or from
    standard input. What is saved is a token, in a file that only you can read.

    \b
    Examples:
      arena login kofi --register
      arena login kofi --server https://arena.example.org
    """
    from arena.cli import profile

    where = profile.current(server).server
    client = options.client(server)
    profile.check_saving()
    secret = password(is_new=is_new)
    answer = (
        client.register(name, secret) if is_new else client.sign_in(name, secret, f"arena on {platform.node()}"[:80])
    )
    path = profile.save(profile.Profile(where, answer["name"], answer["token"]))
    note(f"Signed in at {where} as {answer['name']}; saved in {path}.")
    note("Next: `arena submit my_bot.py --game oware`")


def whoami(server: options.Server = None) -> None:
    """Say which server is in use, and who you are there."""
    from arena.cli import profile

    who = profile.current(server)
    me = options.client(server, needs_login=True).get("/me")
    show(f"{me['name']} at {who.server}")


@tokens.command("list")
def list_tokens(server: options.Server = None, as_json: options.Json = False) -> None:
    """Your tokens on a server, without their secrets; every login made one."""
    found = options.client(server, needs_login=True).get("/tokens")["items"]
    if as_json:
        show_json(found)
    else:
        show_table("", ("#number", "name", "created"), [(one["id"], one["name"], one["created_at"]) for one in found])


@tokens.command("create")
def create_token(
    label: Annotated[str, typer.Argument(help="What it is for, so that you know it again.", show_default=False)],
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """Make a further token, for a program; it is shown this once. The password is asked for, as by `arena login`.

    \b
    Example:
      ARENA_TOKEN=$(arena tokens create nightly) arena submit my_bot.py
    """
    from arena.cli import profile
    from arena.errors import Unauthenticated

    who = profile.current(server)
    if not who.name:
        raise Unauthenticated(profile.not_signed_in(who.server))
    made = options.client(server).sign_in(who.name, password(is_new=False), label)
    if as_json:
        show_json(made)
    else:
        show(made["token"])


@tokens.command("revoke")
def revoke_token(
    number: Annotated[int, typer.Argument(help="Its number, as `list` shows it.", min=1, show_default=False)],
    server: options.Server = None,
) -> None:
    """Take a token back; it stops working at once."""
    options.client(server, needs_login=True).delete(f"/tokens/{number}")
    note(f"Token {number} is revoked.")


def password(*, is_new: bool) -> str:
    """Out of the environment, or asked for at a terminal, or a line of standard input.  Raises: Invalid."""
    given = os.environ.get("ARENA_PASSWORD")
    if not given and sys.stdin is not None:             # None: closed by who called us
        if sys.stdin.isatty():
            return str(typer.prompt("Password", hide_input=True, confirmation_prompt=is_new, err=True))
        given = sys.stdin.readline().rstrip("\r\n")
    if not given:
        raise Invalid("no password came; set ARENA_PASSWORD, or send it as one line to standard input")
    return given
