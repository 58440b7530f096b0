"""Game points as text, in one place: exact for machines (`3/2`), pretty for people (`1 ½`)."""

from fractions import Fraction

from arena.errors import RecordRefused

Points = tuple[Fraction, Fraction]      # by seat


def points_text(points: Fraction) -> str:
    """Exact text, the same in records, JSON and CSV.

    >>> points_text(Fraction(1)), points_text(Fraction(1, 2)), points_text(Fraction(3, 2))
    ('1', '1/2', '3/2')
    """
    return str(points)


def parse_points(text: str) -> Fraction:
    """The points an exact text stands for; only the spelling of `points_text` is accepted.

    >>> parse_points("3/2")
    Fraction(3, 2)
    """
    whole, slash, half = text.partition("/")
    if whole.isascii() and whole.isdigit() and len(whole) <= 9 and (not slash or half == "2"):
        points = Fraction(int(whole), 2 if slash else 1)
        if points_text(points) == text:
            return points
    raise RecordRefused(f"{text[:40]!r} are no points; write whole ones or halves, such as 1, 1/2 or 3/2")


def points_shown(points: Fraction) -> str:
    """For people to read.

    >>> points_shown(Fraction(0)), points_shown(Fraction(1, 2)), points_shown(Fraction(3, 2))
    ('0', '½', '1 ½')
    """
    whole, half = divmod(half_points(points), 2)
    return " ".join(filter(None, (str(whole) if whole or not half else "", "½" if half else "")))


def half_points(points: Fraction) -> int:
    """The same amount counted in half-points, as it is stored.

    >>> half_points(Fraction(3, 2))
    3
    """
    doubled = points * 2
    if doubled.denominator != 1:
        raise ValueError(f"{points} is no number of half-points")
    return doubled.numerator
