"""Schedules: tournaments that begin by themselves."""

from marshmallow import fields

from arena.match.openings import MAX_OPENING_PLIES
from arena.services.beginning import MAX_CYCLES
from web.api.schemas.fields import Answer, Moment, Name, PageAnswer, PageQuery, Request, Text, Whole
from web.api.schemas.tournaments import CYCLES, BotChoice

EVERY = "`day`, `week`, or days such as `mon,thu`."


class NewSchedule(Request):
    """A schedule to make; its tournaments are called by its name and a number."""

    name = Name(required=True)
    ruleset = Text(required=True, max_length=120, metadata={"description": "Game, perhaps with options."})
    bots = BotChoice(required=True)
    every = Text(required=True, max_length=40, metadata={"description": EVERY})
    at = Text(required=True, max_length=5, metadata={"description": "Local time of day, such as `18:30`."})
    zone = Text(load_default="UTC", max_length=64, metadata={"description": "IANA name, such as `Africa/Accra`."})
    match_format = Text(data_key="format", load_default=None, allow_none=True, max_length=40)
    time_control = Text(load_default=None, allow_none=True, max_length=40)
    cycles = Whole(1, MAX_CYCLES, load_default=1, metadata={"description": CYCLES})
    opening_plies = Whole(0, MAX_OPENING_PLIES, load_default=4)


class ScheduleQuery(PageQuery):
    """Which schedules to list."""

    owner = Name(load_default=None)


class ScheduleAnswer(Answer):
    """A schedule and what became of it last."""

    id = fields.Integer()
    name = fields.String()
    owner = fields.String()
    ruleset = fields.String()
    bots = fields.List(
        fields.String(), allow_none=True, metadata={"description": "Null: every open active bot there is then."}
    )
    format = fields.String(attribute="match_format")
    time_control = fields.String()
    cycles = fields.Integer()
    opening_plies = fields.Integer()
    every = fields.String(attribute="rhythm.every")
    at = fields.String(attribute="rhythm.at")
    zone = fields.String(attribute="rhythm.zone")
    is_standing = fields.Boolean(metadata={"description": "Begins, too, whenever there is a new bot."})
    next_at = Moment(metadata={"description": "Not before the last one has ended."})
    last_tournament = fields.Integer(allow_none=True)
    problem = fields.String(allow_none=True, metadata={"description": "Why none began the last time."})
    created_at = Moment()
    ended_at = Moment(allow_none=True)


class ScheduleList(PageAnswer):
    """Schedules, the oldest first."""

    items = fields.List(fields.Nested(ScheduleAnswer))
