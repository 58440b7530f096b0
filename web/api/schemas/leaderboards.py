"""Leaderboards and rating histories."""

from marshmallow import fields

from web.api.schemas.fields import Answer, HalfPoints, Moment, Name, PageAnswer, PageQuery, Text


class BoardQuery(PageQuery):
    """Which part of a board."""

    around = Name(load_default=None, metadata={"description": "The entries around this bot, instead of a page."})


class HistoryQuery(PageQuery):
    """Which rating of a bot."""

    ruleset = Text(load_default=None, max_length=120, metadata={"description": "By default the game."})


class EntryAnswer(Answer):
    """One line of a board."""

    rank = fields.Integer()
    bot = fields.String()
    owner = fields.String()
    version = fields.Integer()
    rating = fields.Float()
    matches = fields.Integer()
    wins = fields.Integer()
    draws = fields.Integer()
    losses = fields.Integer()
    provisional = fields.Boolean(metadata={"description": "Fewer than 30 rated matches."})
    rated_at = Moment()


class BoardAnswer(PageAnswer):
    """A page of a board, and where it was read."""

    ruleset = fields.String()
    size = fields.Integer(metadata={"description": "Bots on the whole board."})
    source = fields.String(
        metadata={"enum": ("redis", "sql"), "description": "sql while Redis is away or has none, as of nobody rated."}
    )
    as_of = Moment(allow_none=True, metadata={"description": "Last change of the board."})
    items = fields.List(fields.Nested(EntryAnswer), attribute="entries")


class BoardSummary(Answer):
    """A board that exists."""

    ruleset = fields.String()
    size = fields.Integer()


class BoardList(Answer):
    """All boards."""

    items = fields.List(fields.Nested(BoardSummary))
    next = fields.String(allow_none=True, metadata={"description": "Always null: the list comes whole."})


class RatingChangeAnswer(Answer):
    """One row of the ledger: what a match did to a rating, and why that much."""

    id = fields.Integer()
    ruleset = fields.String()
    kind = fields.String(metadata={"enum": ("match", "inherit"), "description": "inherit: from the version before."})
    match_id = fields.Integer()
    version = fields.Integer()
    before = fields.Float()
    after = fields.Float()
    expected = fields.Float(allow_none=True)
    k = fields.Integer(allow_none=True)
    score = HalfPoints(allow_none=True)
    opponent = fields.String(allow_none=True)
    opponent_version = fields.Integer(allow_none=True)
    opponent_before = fields.Float(allow_none=True)
    created_at = Moment()


class RatingHistory(PageAnswer):
    """A bot's rating changes."""

    items = fields.List(fields.Nested(RatingChangeAnswer))
