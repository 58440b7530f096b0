"""What is kept of a tournament's matches once they were checked: 25 bytes each, and 9 when its table is done."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator

# In the byte of a match: that it is void, or the first bot's score in half-points plus PLAYED; and two marks.
VOID, PLAYED, SCORE = 1, 2, 0b111
MAY_BE_LATE, IS_RATED = 0b1000, 0b10000


class Outcomes:
    """The matches that have lines, by their places in the schedule, which only ever rise."""

    def __init__(self) -> None:
        self.places = array("q")
        self._bytes = bytearray()
        self._points = array("q"), array("q")       # of the first bots, of the second

    def add_void(self, place: int) -> None:
        self._add(place, VOID, (0, 0))

    def add_result(self, place: int, score: int, points: tuple[int, ...], *, may_be_late: bool) -> None:
        """Args: score: the first bot's.  may_be_late: it may have been void once, and played after later matches."""
        self._add(place, PLAYED + score | (MAY_BE_LATE if may_be_late else 0), points)

    def _add(self, place: int, byte: int, points: tuple[int, ...]) -> None:
        self.places.append(place)
        self._bytes.append(byte)
        for column, value in zip(self._points, points, strict=True):
            column.append(value)

    def score(self, place: int) -> tuple[int, int] | None:
        """Of both, in half-points; None when there is no result at this place."""
        return _score(self._byte(place))

    def may_be_late(self, place: int) -> bool:
        return bool(self._byte(place) & MAY_BE_LATE)

    def is_rated(self, place: int) -> bool:
        return bool(self._byte(place) & IS_RATED)

    def set_rated(self, place: int) -> None:
        """Mark a match that has a line."""
        self._bytes[bisect_left(self.places, place)] |= IS_RATED

    def results(self) -> Iterator[tuple[int, tuple[int, int], tuple[int, int]]]:
        """(place, score, points) of all that were played; may be asked for once, then the points are forgotten."""
        columns, self._points = self._points, (array("q"), array("q"))
        for place, byte, *points in zip(self.places, self._bytes, *columns, strict=True):
            score = _score(byte)
            if score is not None:
                yield place, score, (points[0], points[1])

    def _byte(self, place: int) -> int:
        number = bisect_left(self.places, place)
        return self._bytes[number] if number < len(self.places) and self.places[number] == place else 0


def _score(byte: int) -> tuple[int, int] | None:
    first = (byte & SCORE) - PLAYED
    return (first, 2 - first) if first >= 0 else None
