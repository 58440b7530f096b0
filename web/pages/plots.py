"""Curves and bars as SVG paths.  Axes run in steps of whole numbers; what is drawn is also in a table beside it.

The pictures stretch with the page: only strokes keep their width (`non-scaling-stroke`), and numbers at the axes are
ordinary text beside the picture.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from arena.match.record_types import GameRecord
from arena.store.careers import Point

SPARK_WIDTH, SPARK_HEIGHT = 96, 24
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 5000)
MOST_TICKS = 5
WIDTH, HEIGHT = 1000, 240


@dataclass(frozen=True, slots=True)
class Dot:
    """One match on the curve."""

    x: float
    y: float
    point: Point


@dataclass(frozen=True, slots=True)
class Curve:
    """A rating over matches; `ticks` are the numbers at the axis from the top, evenly apart, with their heights.

    `versions` are where a new version begins: its place and its number.
    """

    path: str
    dots: tuple[Dot, ...]
    ticks: tuple[tuple[int, float], ...]
    versions: tuple[tuple[float, int], ...]
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True, slots=True)
class Bars:
    """The time of every turn of a game: per seat what was charged, and for both what was waited for a processor.

    `limit` is the height of the time that a turn may take, None above the picture.
    """

    charged: tuple[str, str]
    waited: str
    ticks: tuple[tuple[int, float], ...]
    limit: float | None
    plies: int
    width: int = WIDTH
    height: int = HEIGHT


def spark(values: Sequence[float]) -> str:
    """A small curve of ratings, the oldest first; "" for fewer than two."""
    if len(values) < 2:
        return ""
    low, high = min(values), max(values)
    span = max(high - low, 1.0)
    step = SPARK_WIDTH / (len(values) - 1)
    places = (
        f"{index * step:.1f} {2 + (high - value) / span * (SPARK_HEIGHT - 4):.1f}" for index, value in enumerate(values)
    )
    return "M" + "L".join(places)


def curve(points: Sequence[Point]) -> Curve | None:
    """The history of a rating, the newest first as it is kept; None for nothing."""
    if not points:
        return None
    ordered = list(reversed(points))
    values = [ordered[0].before, *(point.after for point in ordered)]
    bottom, top, step = _axis(min(values), max(values))
    step_x = WIDTH / len(ordered)

    def height(value: float) -> float:
        return round((top - value) / (top - bottom) * HEIGHT, 1)

    places = [(round(index * step_x, 1), height(value)) for index, value in enumerate(values)]
    dots = tuple(Dot(x, y, point) for (x, y), point in zip(places[1:], ordered, strict=True))
    ticks = tuple((tick, height(tick)) for tick in range(top, bottom - 1, -step))
    begins = tuple(
        (dot.x - round(step_x / 2, 1), dot.point.version)
        for before, dot in zip((None, *dots[:-1]), dots, strict=True)
        if before is not None and before.point.version != dot.point.version
    )
    return Curve("M" + "L".join(f"{x:g} {y:g}" for x, y in places), dots, ticks, begins)


def bars(game: GameRecord, turn_ms: int) -> Bars | None:
    """The time of each turn; None when nobody has taken one."""
    if not game.turns:
        return None
    plies = max(turn.ply for turn in game.turns) + 1
    highest = max(turn.timing.charged_us + turn.timing.waited_us for turn in game.turns) / 1000
    top, ticks, limit = _time_axis(highest, turn_ms)
    breadth = WIDTH / plies
    charged: tuple[list[str], list[str]] = ([], [])
    waited = []
    for turn in game.turns:
        x = f"{(turn.ply + 0.5) * breadth:.1f}"
        foot = HEIGHT - turn.timing.charged_us / 1000 / top * HEIGHT
        charged[turn.seat].append(f"M{x} {HEIGHT}V{foot:.1f}")
        if turn.timing.waited_us > 0:
            waited.append(f"M{x} {foot:.1f}V{foot - turn.timing.waited_us / 1000 / top * HEIGHT:.1f}")
    return Bars(("".join(charged[0]), "".join(charged[1])), "".join(waited), ticks, limit, plies)


def usage(times: Mapping[int, Sequence[int]], turn_ms: int | None) -> Bars | None:
    """The time of a bot's turns over several games, by ply: the longest of each, and before it the middle one."""
    if not times:
        return None
    plies = max(times) + 1
    longest_ms = {ply: max(all_us) / 1000 for ply, all_us in times.items()}
    top, ticks, limit = _time_axis(max(longest_ms.values()), turn_ms)
    breadth = WIDTH / plies

    def bar(ply: int, ms: float) -> str:
        return f"M{(ply + 0.5) * breadth:.1f} {HEIGHT}V{HEIGHT - ms / top * HEIGHT:.1f}"

    longest = "".join(bar(ply, ms) for ply, ms in longest_ms.items())
    middle = "".join(bar(ply, median(all_us) / 1000) for ply, all_us in times.items())
    return Bars((middle, ""), longest, ticks, limit, plies)


def _time_axis(highest_ms: float, turn_ms: int | None) -> tuple[int, tuple[tuple[int, float], ...], float | None]:
    """What stands at the top, and `ticks` and `limit` as `Bars` has them."""
    _, top, step = _axis(0, max(highest_ms, 1))

    def height(ms: int) -> float:
        return round(HEIGHT - ms / top * HEIGHT, 1)

    ticks = tuple((tick, height(tick)) for tick in range(top, -1, -step))
    return top, ticks, height(turn_ms) if turn_ms is not None and turn_ms <= top else None


def _axis(low: float, high: float) -> tuple[int, int, int]:
    """(bottom, top, step) of an axis with few whole steps that holds both."""
    for step in (*STEPS, *(10**power for power in range(4, 12))):
        bottom, top = int(low // step) * step, -int(-high // step) * step
        top = max(top, bottom + step)
        if (top - bottom) // step < MOST_TICKS:
            return bottom, top, step
    raise ValueError(f"no axis holds {low} to {high}")
