"""Crosstables on the terminal: one line a bot, best first, one column an opponent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.cli.console import note
from arena.cli.tables import fits, screen_width, show_table

if TYPE_CHECKING:
    from arena.cli.client import Client

MOST_OPPONENTS = 12  # with more bots than that, who met whom fills screens
NAME_SHARE = 3  # of a narrow screen's width, in which a name is repeated

Scores = Callable[[str, str], str | None]


@dataclass(frozen=True, slots=True)
class Line:
    """One bot of the table, in the order of the table; points as they are shown."""

    name: str
    rank: int
    matches: int
    score: str
    points: str


def show(title: str, lines: Sequence[Line], score_against: Scores) -> None:
    """Print the table, in several where the screen is narrow.

    Args: score_against: of a bot against another, both by name; None when they have not met.
    """
    opponents = range(len(lines)) if len(lines) <= MOST_OPPONENTS else range(0)
    cells = [[_cell(lines, number, other, score_against) for other in opponents] for number in range(len(lines))]
    columns = ["#", "bot", *(f"#{number + 1}" for number in opponents), "#score", "#points", "#matches"]
    rows = [
        [str(line.rank), line.name, *row, line.score, line.points, str(line.matches)]
        for line, row in zip(lines, cells, strict=True)
    ]
    width = screen_width()
    if not opponents and lines:
        show_table(title, columns, rows, may_go=("matches", "points"))
        note(f"Who met whom is not shown for more than {MOST_OPPONENTS} bots; --json has it.")
    elif width is None or fits(columns, rows, width):
        show_table(title, columns, rows)
    else:
        table = [[line.rank, line.name, line.score, line.points, line.matches] for line in lines]
        show_table(title, ("#", "bot", "#score", "#points", "#matches"), table, may_go=("matches", "points"))
        _show_blocks([line.name for line in lines], cells, width)


def show_from_server(client: "Client", number: int) -> None:
    """The table of a server's tournament."""
    standings = client.get(f"/tournaments/{number}/standings")["items"]
    cells = client.get(f"/tournaments/{number}/crosstable")["cells"]
    scores = {(cell["bot"], cell["opponent"]): cell["score"] for cell in cells}
    lines = [Line(line["bot"], line["rank"], line["matches"], line["score"], line["points"]) for line in standings]
    show("", lines, lambda bot, opponent: scores.get((bot, opponent)))


def _show_blocks(names: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> None:
    """Who made what against whom, as many opponents at a time as there is room for."""
    shown = [_shortened(name, width // NAME_SHARE) for name in names]
    begin = 0
    while begin < len(names):
        end = begin + 1
        while end < len(names) and fits(*_block(shown, cells, begin, end + 1), width):
            end += 1
        title = f"against {begin + 1}" if end == begin + 1 else f"against {begin + 1} to {end}"
        show_table(title, *_block(shown, cells, begin, end))
        begin = end


def _block(
    names: Sequence[str], cells: Sequence[Sequence[str]], begin: int, end: int
) -> tuple[list[str], list[list[str]]]:
    columns = ["#", "bot", *(f"#{number + 1}" for number in range(begin, end))]
    return columns, [
        [str(number), name, *row[begin:end]] for number, (name, row) in enumerate(zip(names, cells, strict=True), 1)
    ]


def _cell(lines: Sequence[Line], number: int, other: int, score_against: Scores) -> str:
    return "×" if number == other else score_against(lines[number].name, lines[other].name) or "·"


def _shortened(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
