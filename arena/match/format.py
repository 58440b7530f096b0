"""Match formats: how many games a match has, when it is decided and for whom.  Data, and pure functions over results.

`GameResult`s stand in the order of play.  A *slot* is one game as the format counts it; an annulled game leaves its
slot open and is replayed, three times at most, and then stands as a game that nobody won.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType

from arena import games
from arena.errors import UnknownFormat
from arena.match.points import Points

MAX_GAMES = 60              # an open-ended match ends here, replays included [two-row M6]
MAX_REPLAYS = 3             # of one annulled game [four-row O10]
FORFEITS_IN_A_ROW = 3       # lose the match
LONGEST_SERIES = 1000       # games in `games-N`
HIGHEST_TARGET = 100        # points in `points-N`


class Goal(Enum):
    """What decides a match."""

    WINS = "that many wins, or so many more than the other"
    BEST_OF = "more wins than the other can still reach"
    STREAK = "that many wins in a row"
    POINTS = "that many points"
    GAMES = "the points of exactly that many games"


@dataclass(frozen=True, slots=True)
class MatchFormat:
    """`target` counts wins, games or points, as the goal says; `lead` is how many wins ahead also decide, 0 = none."""

    name: str
    title: str
    goal: Goal
    target: int
    lead: int = 0

    @property
    def is_open_ended(self) -> bool:
        """Could it go on for ever, but for the limit of 60 games?"""
        return self.goal not in (Goal.BEST_OF, Goal.GAMES)


@dataclass(frozen=True, slots=True)
class GameResult:
    """What a format reads of a game; everything by seat.  `is_fatal`: the forfeit alone costs the match."""

    winner: int | None
    points: Points = (Fraction(0), Fraction(0))
    is_annulled: bool = False
    forfeited_by: int | None = None
    is_fatal: bool = False


@dataclass(frozen=True, slots=True)
class Due:
    """The next game of a match.  `pair`: which two slots share an opening; `variant`: how often it was drawn anew."""

    south: int
    pair: int
    variant: int


@dataclass(frozen=True, slots=True)
class GameDefaults:
    """What the arena adds to the rules of a game."""

    match_format: str = "games-2"
    forfeit_points: int = 1         # to the opponent
    annuls: bool = False            # a game nobody won does not count, and is replayed


_NAMED: Mapping[str, MatchFormat] = MappingProxyType(
    {
        form.name: form
        for form in (
            MatchFormat("antigua", "6 wins or 3 ahead", Goal.WINS, 6, lead=3),
            MatchFormat("best-of-5", "best of 5 games", Goal.BEST_OF, 5),
            MatchFormat("best-of-3", "best of 3 games", Goal.BEST_OF, 3),
            MatchFormat("yoruba", "3 wins in a row", Goal.STREAK, 3),
            MatchFormat("kumasi", "5 wins", Goal.WINS, 5),
        )
    }
)
_DEFAULTS: Mapping[str, GameDefaults] = MappingProxyType(
    {
        "oware": GameDefaults("best-of-5"),
        "urim": GameDefaults("games-4"),
        "anywoli": GameDefaults(),
        # two points, so that no bot gains by crashing before an okutema
        "omweso": GameDefaults("points-12", forfeit_points=2, annuls=True),
        "nsolo": GameDefaults(),
    }
)


def defaults_of(game: str) -> GameDefaults:
    """The arena's additions to a game; one that has none of its own gets the plain ones.  Raises: UnknownGame."""
    return _DEFAULTS[game] if game in _DEFAULTS else _plain(game)


def _plain(game: str) -> GameDefaults:
    games.load(game)        # knows how to say that there is no such game
    return GameDefaults()


def default_format(game: str) -> str:
    """The name of the format in which a game is played when nobody says otherwise.  Raises: UnknownGame."""
    return defaults_of(game).match_format


def format_names() -> list[str]:
    """All formats, those of a free number as `points-N` and `games-N`."""
    return [*_NAMED, "points-N", "games-N"]


def parse_format(text: str, *, game: str | None = None) -> MatchFormat:
    """The format of that name; every format can be played with every game.

    Args: game: only for the message, which then names its default.  Raises: UnknownFormat.
    >>> parse_format("points-12").title
    'first to 12 points'
    """
    if text in _NAMED:
        return _NAMED[text]
    kind, _, number = text.partition("-")
    if number.isascii() and number.isdigit() and len(number) <= 4 and str(int(number)) == number:
        if kind == "points" and 1 <= int(number) <= HIGHEST_TARGET:
            return MatchFormat(text, f"first to {_count(int(number), 'point')}", Goal.POINTS, int(number))
        if kind == "games" and 1 <= int(number) <= LONGEST_SERIES:
            return MatchFormat(text, f"{_count(int(number), 'game')}, most points", Goal.GAMES, int(number))
    hint = f"; {game} is usually played as {default_format(game)}" if game else ""
    raise UnknownFormat(
        f"there is no match format {text[:40]!r}; take one of {', '.join(format_names())} "
        f"(points 1 to {HIGHEST_TARGET}, games 1 to {LONGEST_SERIES}){hint}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def due(results: Sequence[GameResult]) -> Due:
    """Which game comes next: South alternates by slot, the first bot begins, a replay keeps its South.

    The second game of a pair starts from the opening under which the first was at last played.
    """
    slots = _slots(results)
    slot = sum(map(_is_closed, slots))
    replays = len(slots[-1]) if slots and not _is_closed(slots[-1]) else 0
    before = len(slots[slot - 1]) - 1 if slot % 2 else 0
    return Due(slot % 2, slot // 2, before + replays)


def is_decided(form: MatchFormat, results: Sequence[GameResult]) -> bool:
    """Is the match over?"""
    if loser_by_forfeit(results) is not None:
        return True
    if form.is_open_ended and len(results) >= MAX_GAMES:
        return True
    return _REACHED[form.goal](form, counted(results))


def winner_of(form: MatchFormat, results: Sequence[GameResult]) -> int | None:
    """Who leads; when the match is decided, who has won it.  None: a tie."""
    loser = loser_by_forfeit(results)
    if loser is not None:
        return 1 - loser
    slots = counted(results)
    if form.goal is Goal.STREAK and _has_streak(form, slots):
        return slots[-1].winner
    return _leader(points_of(slots) if form.goal in (Goal.POINTS, Goal.GAMES) else wins_of(slots))


def loser_by_forfeit(results: Sequence[GameResult]) -> int | None:
    """The seat that lost the match by its faults: one that is fatal, or three games in a row."""
    if not results:
        return None
    if results[-1].is_fatal:
        return results[-1].forfeited_by
    last = {result.forfeited_by for result in results[-FORFEITS_IN_A_ROW:]}
    return last.pop() if len(results) >= FORFEITS_IN_A_ROW and len(last) == 1 else None


def counted(results: Sequence[GameResult]) -> list[GameResult]:
    """One result for each closed slot: without the annulled games that were replayed, or will be."""
    return [slot[-1] for slot in _slots(results) if _is_closed(slot)]


def wins_of(results: Sequence[GameResult]) -> tuple[int, int]:
    return sum(result.winner == 0 for result in results), sum(result.winner == 1 for result in results)


def points_of(results: Sequence[GameResult]) -> Points:
    """The sum of the points; annulled games have none, so replayed ones may be among the results."""
    first, second = (sum((result.points[seat] for result in results), Fraction(0)) for seat in (0, 1))
    return first, second


def _slots(results: Sequence[GameResult]) -> list[list[GameResult]]:
    """The results by slot: an annulled game and its replays together.  Only the last slot can be open."""
    slots: list[list[GameResult]] = []
    for result in results:
        if slots and not _is_closed(slots[-1]):
            slots[-1].append(result)
        else:
            slots.append([result])
    return slots


def _is_closed(slot: Sequence[GameResult]) -> bool:
    return not slot[-1].is_annulled or len(slot) > MAX_REPLAYS


def _wins_reached(form: MatchFormat, slots: Sequence[GameResult]) -> bool:
    first, second = wins_of(slots)
    return max(first, second) >= form.target or 0 < form.lead <= abs(first - second)


def _lead_is_safe(form: MatchFormat, slots: Sequence[GameResult]) -> bool:
    first, second = wins_of(slots)
    games_left = form.target - len(slots)
    return games_left <= 0 or abs(first - second) > games_left


def _has_streak(form: MatchFormat, slots: Sequence[GameResult]) -> bool:
    runs = [(winner, len(list(run))) for winner, run in groupby(slots, key=lambda slot: slot.winner)]
    return bool(runs) and runs[-1][0] is not None and runs[-1][1] >= form.target


_REACHED: Mapping[Goal, Callable[[MatchFormat, Sequence[GameResult]], bool]] = MappingProxyType(
    {
        Goal.WINS: _wins_reached,
        Goal.BEST_OF: _lead_is_safe,
        Goal.STREAK: _has_streak,
        Goal.POINTS: lambda form, slots: max(points_of(slots)) >= form.target,
        Goal.GAMES: lambda form, slots: len(slots) >= form.target,
    }
)


def _leader(score: tuple[Fraction, Fraction] | tuple[int, int]) -> int | None:
    first, second = score
    return None if first == second else int(second > first)
