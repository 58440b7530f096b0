"""Accounts: register, make and take back tokens."""

from typing import Any

from flask import Response

from arena.errors import Forbidden, NameTaken, NotFound
from arena.services import accounts
from arena.store.accounts import User
from web.api.blueprint import Noun
from web.api.schemas.accounts import FreshToken, Registration, TokenList, TokenRequest, UserAnswer
from web.auth import basic_credentials
from web.context import store

blueprint = Noun("accounts", "Who you are: users and their tokens.")
SECRET = {"Cache-Control": "no-store"}


@blueprint.post("/users")
@blueprint.limited("120 per hour")
@blueprint.arguments(Registration)
@blueprint.response(201, FreshToken)
@blueprint.fails(NameTaken)
def register(body: dict[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Register, and receive a first token."""
    user, token = accounts.register(store(), body["name"], body["password"])
    return {"name": user.name, "token": token}, SECRET


@blueprint.post("/tokens")
@blueprint.limited("10 per minute", of_name="60 per hour")      # so that passwords are not guessed from many addresses
@blueprint.password
@blueprint.arguments(TokenRequest, required=False)
@blueprint.response(201, FreshToken)
@blueprint.fails(Forbidden)
def create_token(body: dict[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Receive a new token for name and password (basic authentication)."""
    name, password = basic_credentials()
    token = accounts.create_token(store(), name, password, body["name"])
    return {"name": name, "token": token}, SECRET


@blueprint.get("/tokens")
@blueprint.login
@blueprint.response(200, TokenList)
def list_tokens(user: User) -> dict[str, Any]:
    """Your tokens, without their secrets."""
    return {"items": accounts.tokens(store(), user), "next": None}


@blueprint.delete("/tokens/<id:token_id>")
@blueprint.login
@blueprint.response(204)
@blueprint.fails(NotFound)
def revoke_token(user: User, token_id: int) -> Response:
    """Take a token back; it stops working at once."""
    accounts.revoke_token(store(), user, token_id)
    return Response(status=204)


@blueprint.get("/me")
@blueprint.login
@blueprint.response(200, UserAnswer)
def show_me(user: User) -> User:
    """Who the token says you are."""
    return user
