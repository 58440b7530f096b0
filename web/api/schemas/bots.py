"""Bots and their versions."""

from typing import Any

from marshmallow import ValidationError, fields
from werkzeug.datastructures import FileStorage

from arena.games import notation
from arena.match.record import VERDICT_KINDS
from web.api.schemas.fields import Answer, Flag, Moment, Name, PageAnswer, PageQuery, Request, Text, describe

STATES = ("checking", "active", "rejected", "unchecked", "parked")


class BotFile(fields.Field[FileStorage]):
    """The file of a bot in a form."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        describe(self, type="string", format="binary", description="One Python file, or a zip with bot.py at its root.")
        self.error_messages |= {"required": "attach the bot: one Python file, or a zip with bot.py at its root"}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> FileStorage:
        if not isinstance(value, FileStorage):
            raise ValidationError("send it as a file of the form, with its file name")
        if not value.filename:
            raise ValidationError("the file has no name; end it in .py or .zip")
        return value


class BotUpload(Request):
    """A new bot."""

    name = Name(required=True)
    game = Text(required=True, min_length=1, max_length=40, metadata={"description": "One of `GET /games`."})
    file = BotFile(required=True)


class VersionUpload(Request):
    """A new version of a bot."""

    file = BotFile(required=True)


class BotSettings(Request):
    """What an owner may change about a bot."""

    is_open = Flag(required=True, metadata={"description": "May others enter it?"})


class BotQuery(PageQuery):
    """Which bots to list."""

    owner = Name(load_default=None)
    game = Text(load_default=None, min_length=1, max_length=40)
    beginning = Text(load_default=None, max_length=40, metadata={"description": "How the name begins."})


class VersionAnswer(Answer):
    """One version: what was sent, and what the qualification said."""

    bot = fields.String()
    number = fields.Integer()
    content_hash = fields.String(metadata={"description": "SHA-256 of the file."})
    state = fields.String(metadata={"enum": STATES})
    fault_kind = fields.String(allow_none=True, metadata={"description": "Why it was rejected or parked."})
    fault_message = fields.String(allow_none=True)
    import_ms = fields.Integer(allow_none=True, metadata={"description": "How long the import took."})
    submitted_at = Moment()
    decided_at = Moment(allow_none=True)


class VersionList(PageAnswer):
    """A bot's versions, the newest first."""

    items = fields.List(fields.Nested(VersionAnswer))


class BotAnswer(Answer):
    """A bot."""

    name = fields.String()
    owner = fields.String()
    game = fields.String()
    is_open = fields.Boolean()
    created_at = Moment()
    retired_at = Moment(allow_none=True)
    banned_at = Moment(allow_none=True)
    active_version = fields.Integer(allow_none=True, metadata={"description": "The version that plays now."})
    latest_version = fields.Integer()


class FailureAnswer(Answer):
    """A game that was lost by a fault."""

    match_id = fields.Integer()
    game = fields.Integer(attribute="number", metadata={"description": "Counted from 1."})
    opponent = fields.String()
    kind = fields.String(attribute="verdict.kind", metadata={"enum": VERDICT_KINDS})
    message = fields.String(attribute="verdict.message")
    is_loading = fields.Boolean(attribute="verdict.is_loading")
    ply = fields.Integer(metadata={"description": "Turns that were done by then, of both sides."})
    position = fields.Function(
        lambda failure: notation.position_text(failure.position),
        metadata={"type": "string", "description": "What the bot was asked about."},
    )
    turn_us = fields.Integer(metadata={"description": "What it had for the turn, in microseconds,"})
    bank_us = fields.Integer(metadata={"description": "and in reserve when it was asked."})
    used_us = fields.Integer(allow_none=True, metadata={"description": "null: no answer could be timed."})
    last_lines = fields.List(
        fields.String(), metadata={"description": "The end of what it printed in the whole match."}
    )


class FailuresAnswer(Answer):
    """The faults of a bot in its last matches, the newest first."""

    matches = fields.Integer(metadata={"description": "How many of its last matches were looked at."})
    items = fields.List(fields.Nested(FailureAnswer), attribute="forfeits")


class SubmittedAnswer(BotAnswer):
    """A bot with the version just sent, which is being checked."""

    version = fields.Nested(VersionAnswer)


class BotList(PageAnswer):
    """Bots by name."""

    items = fields.List(fields.Nested(BotAnswer))
