"""How values are said on the pages."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from arena.errors import ArenaError
from arena.match.format import parse_format
from arena.match.time_control import parse_time_control
from arena.ratings.elo import rating_error
from arena.services.sources import visible

CONFIDENCE = 1.96               # standard deviations on either side that hold 19 of 20
MINUS = "−"
MARKS = {2: "W", 1: "D", 0: "L"}
WORDS = {2: "won", 1: "drawn", 0: "lost"}
_QUARTERS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


def half_points(score: int | Fraction) -> str:
    """Half-points as chess players write them.

    >>> half_points(3), half_points(1), half_points(4)
    ('1½', '½', '2')
    """
    return points(Fraction(score) / 2)


def points(value: int | Fraction) -> str:
    """Exact points.

    >>> points(Fraction(5, 4)), points(Fraction(1, 2)), points(0), points(7)
    ('1¼', '½', '0', '7')
    """
    whole, rest = divmod(Fraction(value), 1)
    if not rest:
        return str(whole)
    return f"{whole or ''}{_QUARTERS.get(rest, f' {rest}')}"


def when(moment: datetime | None) -> str:
    """A moment to the minute.

    >>> when(datetime(2026, 11, 29, 8, 5, tzinfo=UTC))
    '29 Nov 2026, 08:05 UTC'
    """
    return "not yet" if moment is None else f"{moment.astimezone(UTC):%-d %b %Y, %H:%M} UTC"


def iso(moment: datetime | None) -> str:
    """A moment for programs, as `<time datetime>` takes it."""
    return "" if moment is None else moment.astimezone(UTC).isoformat(timespec="seconds")


def signed(value: float) -> str:
    """A difference, rounded, with its sign.

    >>> signed(12.4), signed(-3.6), signed(0.2)
    ('+12', '−4', '±0')
    """
    rounded = round(value)
    return f"+{rounded}" if rounded > 0 else f"{MINUS}{-rounded}" if rounded < 0 else "±0"


def error_of(matches: int) -> int:
    """Half of the interval that holds the true strength 19 times in 20 (arena/ratings/elo.py).

    >>> error_of(30), error_of(400)
    (201, 82)
    """
    return round(CONFIDENCE * rating_error(matches))


def mark(score: int) -> str:
    """One letter for the result of a match, from its half-points."""
    return MARKS[score]


def form_words(form: Sequence[int]) -> str:
    """The last results read out.

    >>> form_words((2, 2, 0))
    'last 3 matches, the newest first: won, won, lost'
    """
    if not form:
        return "no rated match yet"
    which = "last match" if len(form) == 1 else f"last {len(form)} matches, the newest first"
    return f"{which}: {', '.join(WORDS[score] for score in form)}"


def format_words(name: str) -> str:
    """A match format in words; an unknown one as it is called."""
    try:
        return parse_format(name).title
    except ArenaError:
        return name


def control_words(name: str) -> str:
    """A time control in words.

    >>> control_words("quick"), control_words("blitz")
    ('quick: 100 ms a turn and 2 s in reserve', 'blitz: 3 s a turn')
    """
    try:
        control = parse_time_control(name)
    except ArenaError:
        return name
    reserve = f" and {milliseconds(control.bank_ms)} in reserve" if control.bank_ms else ""
    return f"{name}: {milliseconds(control.turn_ms)} a turn{reserve}"


def milliseconds(value: float) -> str:
    """A span of time, in the unit that reads best.

    >>> milliseconds(100), milliseconds(2500), milliseconds(0.042), milliseconds(3.14)
    ('100 ms', '2.5 s', '0.04 ms', '3.1 ms')
    """
    if value >= 1000:
        return f"{value / 1000:g} s" if value % 100 == 0 else f"{value / 1000:.2f} s"
    if value >= 10 or value == round(value):
        return f"{value:.0f} ms"
    return f"{value:.1f} ms" if value >= 1 else f"{value:.2f} ms"


def grouped(number: int) -> str:
    """A large number, readable.

    >>> grouped(499500)
    '499,500'
    """
    return f"{number:,}"


FILTERS: Mapping[str, Callable[..., Any]] = {
    "half_points": half_points, "points": points, "when": when, "iso": iso, "signed": signed, "error_of": error_of,
    "mark": mark, "form_words": form_words, "format_words": format_words, "control_words": control_words,
    "milliseconds": milliseconds, "grouped": grouped, "visible": visible,
}
