"""How values are said on the pages."""

from datetime import UTC, datetime
from fractions import Fraction


def half_points(score: int | Fraction) -> str:
    """Half-points as chess players write them.

    >>> half_points(3), half_points(1), half_points(4)
    ('1½', '½', '2')
    """
    whole, half = divmod(score, 2)
    return f"{whole or ''}½" if half else str(whole)


def when(moment: datetime | None) -> str:
    """A moment to the minute.

    >>> when(datetime(2026, 11, 29, 8, 5, tzinfo=UTC))
    '29 Nov 2026, 08:05 UTC'
    """
    return "not yet" if moment is None else f"{moment.astimezone(UTC):%-d %b %Y, %H:%M} UTC"
