"""Matches and their games."""

from marshmallow import fields

from arena.match.record import VERDICT_KINDS
from web.api.schemas.fields import Answer, HalfPoints, Moment, PageAnswer, Points

STATES = ("due", "queued", "leased", "finished", "void")


class BotRefAnswer(Answer):
    """The version of a bot that plays."""

    name = fields.String()
    version = fields.Integer()
    content_hash = fields.String()


class MatchAnswer(Answer):
    """A match; seat 0 is the first bot, 1 the second."""

    id = fields.Integer()
    purpose = fields.String(metadata={"enum": ("tournament", "qualification")})
    tournament_id = fields.Integer(allow_none=True)
    schedule_index = fields.Integer(allow_none=True)
    ruleset = fields.String()
    format = fields.String(attribute="match_format")
    time_control = fields.String()
    first = fields.Nested(BotRefAnswer)
    second = fields.Nested(BotRefAnswer)
    state = fields.String(metadata={"enum": STATES})
    attempt = fields.Integer()
    ply = fields.Integer(allow_none=True)
    winner = fields.Integer(allow_none=True, metadata={"description": "A seat; null for a tie or while it is open."})
    score = fields.List(HalfPoints(), allow_none=True, metadata={"description": "Match score by seat."})
    points = fields.List(Points(), allow_none=True, metadata={"description": "Game points by seat."})
    games = fields.Integer(allow_none=True)
    created_at = Moment()
    ended_at = Moment(allow_none=True)
    void_reason = fields.String(allow_none=True)


class MatchList(PageAnswer):
    """Matches."""

    items = fields.List(fields.Nested(MatchAnswer))


class VerdictAnswer(Answer):
    """Which bot forfeited a game, and by what kind of fault; its owner finds more among the failures of the bot."""

    seat = fields.Integer()
    kind = fields.String(metadata={"enum": VERDICT_KINDS})
    is_loading = fields.Boolean(metadata={"description": "It could not be loaded, which costs the match."})


class TurnAnswer(Answer):
    """The time of one turn, in microseconds; `ply` counts all turns of the game from 0."""

    seat = fields.Integer()
    ply = fields.Integer()
    charged_us = fields.Integer(attribute="timing.charged_us")
    wall_us = fields.Integer(attribute="timing.wall_us")
    cpu_us = fields.Integer(attribute="timing.cpu_us")
    waited_us = fields.Integer(attribute="timing.waited_us")


class PlayedGameAnswer(Answer):
    """One game of a match, move by move; a move's meaning is the game's (docs/rules)."""

    south = fields.Integer(metadata={"description": "The seat that plays South and moves first."})
    opening = fields.List(fields.Integer(), metadata={"description": "The moves that the arena drew."})
    moves = fields.List(fields.Integer(), metadata={"description": "All of them, the opening included."})
    ending = fields.String(metadata={"description": "Why it ended: the rules' word, or the kind of the verdict."})
    winner = fields.Integer(allow_none=True, metadata={"description": "A seat."})
    points = fields.List(Points(), metadata={"description": "By seat."})
    verdict = fields.Nested(VerdictAnswer, allow_none=True)
    turns = fields.List(fields.Nested(TurnAnswer))
