"""What bots have done lately: the marks beside a line of a leaderboard, and the page of one bot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from arena import games
from arena.services import bots as bot_services
from arena.services.names import blaming
from arena.store import careers
from arena.store.bots import Bot
from arena.store.careers import Point, Rated
from arena.store.session import Store, utc_now

FORM = 10                       # last matches that are told one by one
CURVE = 24                      # last ratings in the small curve beside a name
DAY = timedelta(days=1)
WINDOW = 500                    # last rated matches that a bot's page is about


@dataclass(frozen=True, slots=True)
class Lately:
    """`form` are half-points, the newest first; `curve` ratings, the oldest first; `since_yesterday` None when new."""

    form: tuple[int, ...] = ()
    curve: tuple[float, ...] = ()
    since_yesterday: float | None = None


@dataclass(slots=True)
class Tally:
    """Rated matches by result."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def matches(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """Of the points there were."""
        return (self.wins + self.draws / 2) / max(1, self.matches)

    def add(self, score: int) -> None:
        """One match, of which the bot took so many half-points."""
        self.wins += score == 2
        self.draws += score == 1
        self.losses += score == 0


@dataclass(slots=True)
class Versus:
    """All matches against one opponent, and what they brought in rating."""

    opponent: str
    tally: Tally = field(default_factory=Tally)
    gained: float = 0.0


@dataclass(frozen=True, slots=True)
class Career:
    """A bot and its last `WINDOW` rated matches in one ruleset, the newest first; `seats` are first and second.

    `rated` is where it stands in every ruleset, `ruleset` "" when it was never rated.
    """

    bot: Bot
    rated: tuple[Rated, ...]
    ruleset: str
    points: tuple[Point, ...]
    opponents: tuple[Versus, ...]
    seats: tuple[Tally, Tally]


def lately(store: Store, ruleset: str, names: Sequence[str], now: datetime | None = None) -> dict[str, Lately]:
    """For each of these bots; two queries, however many they are and however much they have played."""
    moment = now or utc_now()
    with store.read() as tx:
        steps = careers.latest_steps(tx, ruleset, names, CURVE)
        yesterday = careers.ratings_at(tx, ruleset, names, moment - DAY)
    found = {}
    for name in names:
        latest = steps.get(name, [])
        since = latest[0].after - yesterday[name] if latest and name in yesterday else None
        form = tuple(step.score for step in latest[:FORM])
        found[name] = Lately(form, tuple(step.after for step in reversed(latest)), since)
    return found


def career(store: Store, name: str, ruleset: str | None = None) -> Career:
    """A bot, and what it did in a ruleset, by default where it has played most.  Raises: NotFound, UnknownGame."""
    with blaming("ruleset"):
        asked = None if ruleset is None else games.load(ruleset).ruleset
    with store.read() as tx:
        bot = bot_services.find(tx, name)
        rated = tuple(careers.rated_of(tx, bot.id))
        chosen = asked or max(rated, key=lambda one: one.matches).ruleset if rated or asked else ""
        points = careers.history(tx, bot.id, chosen, WINDOW) if chosen else []
    return Career(bot, rated, chosen, tuple(points), _by_opponent(points), _by_seat(points))


def names_beginning(store: Store, text: str, limit: int) -> tuple[str, ...]:
    """Bots that are not retired and whose names begin so."""
    with store.read() as tx:
        return tuple(careers.names_beginning(tx, text, limit))


def _by_opponent(points: Iterable[Point]) -> tuple[Versus, ...]:
    found: dict[str, Versus] = {}
    for point in points:
        versus = found.setdefault(point.opponent, Versus(point.opponent))
        versus.tally.add(point.score)
        versus.gained += point.after - point.before
    return tuple(sorted(found.values(), key=lambda versus: (-versus.tally.matches, versus.opponent)))


def _by_seat(points: Iterable[Point]) -> tuple[Tally, Tally]:
    first, second = Tally(), Tally()
    for point in points:
        (first if point.is_first else second).add(point.score)
    return first, second
