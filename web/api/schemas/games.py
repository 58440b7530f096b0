"""What can be played: enough to build a form from."""

from marshmallow import Schema, fields

from web.api.schemas.fields import Answer


class OptionAnswer(Schema):
    """One option of a game; what it has beside name, kind, default and meaning depends on its kind."""

    name = fields.String(required=True)
    kind = fields.String(required=True, metadata={"description": "choice, boolean, integer or integer_or_none"})
    default = fields.Raw(required=True, allow_none=True)
    meaning = fields.String(required=True)
    choices = fields.List(fields.Raw(), metadata={"description": "The values of a choice."})
    minimum = fields.Integer()
    maximum = fields.Integer()
    per = fields.Dict(metadata={"description": "The maximum is so many times that other option."})


class GameAnswer(Answer):
    """A game, its options, and the format it is played in when nobody says otherwise."""

    name = fields.String()
    title = fields.String()
    default_format = fields.String()
    options = fields.List(fields.Nested(OptionAnswer))


class FormatAnswer(Schema):
    """A match format, for every game; where the name ends in N, a number from minimum to maximum goes there."""

    name = fields.String(required=True)
    title = fields.String(required=True)
    minimum = fields.Integer()
    maximum = fields.Integer()


class TimeControlAnswer(Answer):
    """Time for every turn, and a bank for each game; also written as TURN+BANK."""

    name = fields.String()
    turn_ms = fields.Integer()
    bank_ms = fields.Integer()
    is_default = fields.Boolean()


class GamesAnswer(Answer):
    """All that can be played, and how."""

    items = fields.List(fields.Nested(GameAnswer))
    formats = fields.List(fields.Nested(FormatAnswer))
    time_controls = fields.List(fields.Nested(TimeControlAnswer))
