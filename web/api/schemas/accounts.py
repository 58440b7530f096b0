"""Users and tokens."""

from marshmallow import fields

from arena.services.accounts import LONGEST_PASSWORD, SHORTEST_PASSWORD
from web.api.schemas.fields import Answer, Moment, Name, Request, Text


class Registration(Request):
    """A new account."""

    name = Name(required=True)
    password = Text(required=True, min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD, load_only=True)


class TokenRequest(Request):
    """A new token; its name tells you later which one to take back."""

    name = Text(load_default="token", min_length=1, max_length=80)


class FreshToken(Answer):
    """A token, shown this once."""

    name = fields.String(metadata={"description": "The user's name."})
    token = fields.String()


class TokenAnswer(Answer):
    """A token without its secret."""

    id = fields.Integer()
    name = fields.String()
    created_at = Moment()


class TokenList(Answer):
    """All tokens of a user."""

    items = fields.List(fields.Nested(TokenAnswer))
    next = fields.String(allow_none=True, metadata={"description": "Always null: the list is short."})


class UserAnswer(Answer):
    """A user."""

    name = fields.String()
    is_admin = fields.Boolean()
    created_at = Moment()
