"""`arena login`: register or sign in, and remember it."""

import os
import platform
import sys
from typing import Annotated

import typer

from arena.cli import options
from arena.cli.console import note, show


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command(rich_help_panel="A server's client")(login)
    app.command(rich_help_panel="A server's client")(whoami)


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


def password(*, is_new: bool) -> str:
    if given := os.environ.get("ARENA_PASSWORD"):
        return given
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=is_new, err=True))
