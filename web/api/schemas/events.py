"""What a stream of events carries."""

from marshmallow import fields

from web.api.schemas.fields import Answer, Request, WholeText
from web.api.schemas.leaderboards import RatingChangeAnswer
from web.api.schemas.matches import MatchAnswer
from web.api.schemas.tournaments import TournamentAnswer

LARGEST = 10**15


class EventsQuery(Request):
    """Where to take up."""

    after = WholeText(
        0, LARGEST, load_default=None, metadata={"description": "The last event seen; 0 for all, left out for news."}
    )


class ProgressAnswer(Answer):
    """How far a tournament is, and what is being played."""

    tournament = fields.Nested(TournamentAnswer)
    running = fields.List(fields.Nested(MatchAnswer))


class BotChangeAnswer(RatingChangeAnswer):
    """A row of the ledger with its bot's name."""

    bot = fields.String()


class RatingEvent(Answer):
    """What a match did to ratings."""

    match_id = fields.Integer()
    changes = fields.List(fields.Nested(BotChangeAnswer))
