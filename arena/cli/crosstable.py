"""Crosstables on the terminal: one line a bot, best first, one column an opponent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.cli.console import show_table

if TYPE_CHECKING:
    from arena.cli.client import Client

MOST_COLUMNS = 12  # with more bots than that, columns for opponents fit no screen


@dataclass(frozen=True, slots=True)
class Line:
    """One bot of the table, in the order of the table; points as they are shown."""

    name: str
    rank: int
    matches: int
    score: str
    points: str


def show(title: str, lines: Sequence[Line], score_against: Callable[[str, str], str | None]) -> None:
    """Print the table.  Args: score_against: of a bot against another, both by name; None when they have not met."""
    opponents = range(len(lines)) if len(lines) <= MOST_COLUMNS else range(0)
    columns = ["#", "bot", *(f"#{number + 1}" for number in opponents), "#score", "#points", "#matches"]
    rows = []
    for number, line in enumerate(lines):
        cells = ["×" if number == other else score_against(line.name, lines[other].name) or "·" for other in opponents]
        rows.append([line.rank, line.name, *cells, line.score, line.points, line.matches])
    show_table(title, columns, rows)


def show_from_server(client: "Client", number: int) -> None:
    """The table of a server's tournament."""
    standings = client.get(f"/tournaments/{number}/standings")["items"]
    cells = client.get(f"/tournaments/{number}/crosstable")["cells"]
    scores = {(cell["bot"], cell["opponent"]): cell["score"] for cell in cells}
    lines = [Line(line["bot"], line["rank"], line["matches"], line["score"], line["points"]) for line in standings]
    show("", lines, lambda bot, opponent: scores.get((bot, opponent)))
