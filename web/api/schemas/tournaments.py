"""Tournaments, their standings and crosstables."""

from typing import Any

from marshmallow import ValidationError, fields

from arena.match.openings import MAX_OPENING_PLIES
from arena.ratings.eligibility import RATED_CYCLES
from arena.services.beginning import MAX_CYCLES
from arena.services.entries import EVERY_BOT
from arena.services.tournaments import LONGEST_SEED, not_a_seed
from arena.store.paging import DEFAULT_LIMIT, MAX_LIMIT
from arena.store.tournaments import STATES
from web.api.schemas.fields import (
    Answer,
    HalfPoints,
    Moment,
    Name,
    PageAnswer,
    PageQuery,
    Points,
    Request,
    Text,
    Whole,
    WholeText,
    describe,
)

MAX_ENTRANTS = 2_000
CYCLES = f"How often every pair meets; rated are tournaments of up to {RATED_CYCLES}."


class BotChoice(fields.Field["list[str] | str"]):
    """The names of bots, or "all"."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        names = {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": MAX_ENTRANTS}
        describe(self, anyOf=[{"const": EVERY_BOT}, names])
        self.error_messages |= {"required": 'name the bots in a list, or send "all"'}
        self._name = Name()

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> list[str] | str:
        if value == EVERY_BOT:
            return EVERY_BOT
        if not isinstance(value, list):
            raise ValidationError('send a list of names, or "all"')
        if len(value) > MAX_ENTRANTS:
            raise ValidationError(f"{len(value)} bots are too many; {MAX_ENTRANTS} may enter")
        return [str(self._name.deserialize(name)) for name in value]


class Seed(Text):
    """The seed of a tournament, given by who makes it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_length=1, max_length=LONGEST_SEED, **options)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> str:
        try:
            return super()._deserialize(value, attr, data, **options)
        except ValidationError as error:
            raise ValidationError(not_a_seed(value)) from error


class NewTournament(Request):
    """A tournament to create; nothing is played before it is started."""

    name = Name(required=True)
    ruleset = Text(required=True, max_length=120, metadata={"description": "Game, perhaps with options."})
    bots = BotChoice(required=True)
    match_format = Text(data_key="format", load_default=None, allow_none=True, max_length=40)
    time_control = Text(load_default=None, allow_none=True, max_length=40)
    cycles = Whole(1, MAX_CYCLES, load_default=1, metadata={"description": CYCLES})
    opening_plies = Whole(0, MAX_OPENING_PLIES, load_default=4)
    seed = Seed(load_default=None, allow_none=True, metadata={"description": "Makes the tournament unrated."})


class Withdrawal(Request):
    """Which bot leaves."""

    bot = Name(required=True)


class TournamentQuery(PageQuery):
    """Which tournaments to list."""

    state = Text(load_default=None, max_length=20, metadata={"enum": STATES})
    name = Name(load_default=None, metadata={"description": "The one that is called so."})


class TournamentAnswer(Answer):
    """A tournament and how far it is."""

    id = fields.Integer()
    name = fields.String()
    owner = fields.String()
    ruleset = fields.String()
    format = fields.String(attribute="match_format")
    time_control = fields.String()
    cycles = fields.Integer()
    opening_plies = fields.Integer()
    seed = fields.String(allow_none=True, metadata={"description": "Secret until the end."})
    seed_hash = fields.String(metadata={"description": "SHA-256 of the seed."})
    is_rated = fields.Boolean(
        attribute="has_rated_matches", metadata={"description": "Whether its results can change a rating."}
    )
    rating_note = fields.String(
        allow_none=True, metadata={"description": "Why none of its matches is rated, or which are not."}
    )
    state = fields.String(metadata={"enum": STATES})
    match_count = fields.Integer(metadata={"description": "Matches of the whole schedule."})
    finished = fields.Integer()
    void = fields.Integer(metadata={"description": "Matches without a result, by our fault."})
    created_at = Moment()
    started_at = Moment(allow_none=True)
    ended_at = Moment(allow_none=True)


class TournamentList(PageAnswer):
    """Tournaments, the newest first."""

    items = fields.List(fields.Nested(TournamentAnswer))


class TieBreakAnswer(Answer):
    """What a bot has by one criterion."""

    name = fields.String()
    value = Points()


class TieBreaks(fields.List[dict[str, Any]]):
    """Those of one line, put together here: five in every line of a table took most of the time for it."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **options: Any) -> list[dict[str, str]]:
        return [{"name": each.name, "value": str(each.value)} for each in value]


class StandingAnswer(Answer):
    """One line of the table."""

    rank = fields.Integer(metadata={"description": "Shared by those equal in every criterion."})
    bot = fields.String()
    owner = fields.String()
    version = fields.Integer()
    matches = fields.Integer()
    wins = fields.Integer()
    draws = fields.Integer()
    losses = fields.Integer()
    score = HalfPoints(metadata={"description": "Match points."})
    points = HalfPoints(metadata={"description": "Game points."})
    tie_breaks = TieBreaks(fields.Nested(TieBreakAnswer), metadata={"description": "In the order of their weight."})
    is_withdrawn = fields.Boolean()


class StandingsAnswer(Answer):
    """The table, best first."""

    items = fields.List(fields.Nested(StandingAnswer))
    next = fields.String(allow_none=True, metadata={"description": "Always null: the table comes whole."})


class CrosstableQuery(Request):
    """How much of the table."""

    limit = WholeText(2, MAX_LIMIT, load_default=DEFAULT_LIMIT, metadata={"description": "So many of the leaders."})


class CellAnswer(Answer):
    """All matches of a bot against an opponent, as the bot sees them."""

    bot = fields.String()
    opponent = fields.String()
    matches = fields.Integer()
    score = HalfPoints(metadata={"description": "Match points."})
    points = HalfPoints(metadata={"description": "Game points."})


class CrosstableAnswer(Answer):
    """Who made what against whom."""

    bots = fields.List(fields.String(), metadata={"description": "The leaders, best first."})
    size = fields.Integer(metadata={"description": "Bots in the whole table."})
    cells = fields.List(fields.Nested(CellAnswer))
