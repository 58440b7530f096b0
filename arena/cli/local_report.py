"""What is kept of a local tournament, and told at its end.

In memory that is one result a match, and the forfeits of each pair of bots; whole records, when they are wanted, wait
in a temporary file.
"""

import json
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import IO, TYPE_CHECKING, Any

from arena.cli import crosstable
from arena.cli.console import json_text, note, show
from arena.tournament.round_robin import pairing_at
from arena.tournament.standings import Result, Standing, standings
from arena.tournament.standings import crosstable as cells_of

if TYPE_CHECKING:
    from arena.cli.match_pool import Plan
    from arena.match.record_types import MatchRecord


@dataclass(slots=True)
class Forfeits:
    """What one bot forfeited against another in the same way: how many games, and why the first of them."""

    games: int
    message: str


class Report:
    """Takes the records in any order; tells of them in that of the schedule.

    Args: records: a file to write and read, for `show_json`.
    """

    def __init__(self, plan: "Plan", count: int, records: IO[str] | None) -> None:
        self._plan = plan
        self._names = [bot.name for bot in plan.bots]
        self._results: list[Result | None] = [None] * count
        self._forfeits: dict[tuple[str, str, str], Forfeits] = {}
        self._places = array("q", bytes(8 * count))         # where each record begins in the file
        self._file = records

    def add(self, index: int, record: "MatchRecord") -> None:
        """One match of the schedule has been played."""
        pairing = pairing_at(len(self._names), self._plan.cycles, index)
        points = (int(2 * record.points[0]), int(2 * record.points[1]))
        self._results[index] = Result(pairing.first, pairing.second, record.score, points)
        for verdict in (game.verdict for game in record.games if game.verdict):
            bots = (record.bots[verdict.seat].name, record.bots[1 - verdict.seat].name)
            self._forfeits.setdefault((*bots, verdict.kind), Forfeits(0, verdict.message)).games += 1
        if self._file is not None:
            from arena.match.record import to_json

            self._places[index] = self._file.tell()
            self._file.write(json.dumps(to_json(record)) + "\n")

    def tell(self) -> None:
        """The crosstable, and who forfeited."""
        setup, results = self._plan.setup, self._played()
        cells = cells_of(range(len(self._names)), results, cycles=self._plan.cycles)
        scores = {
            (self._names[one], self._names[other]): _shown(cell.score) for (one, other), cell in cells.items()
        }
        lines = [
            crosstable.Line(
                self._names[line.number], line.rank, line.matches, _shown(line.score), _shown(line.points)
            )
            for line in self._standings(results)
        ]
        title = f"{setup.ruleset}, {setup.match_format}, {setup.time_control}"
        crosstable.show(title, lines, lambda bot, opponent: scores.get((bot, opponent)))
        for (bot, opponent, kind), forfeits in self._forfeits.items():
            games = "a game" if forfeits.games == 1 else f"{forfeits.games} games"
            note(f"{bot} forfeited {games} against {opponent} ({kind}): {forfeits.message}")
        note(f"The same tournament again: --seed {setup.seed}")

    def show_json(self) -> None:
        """One JSON document; its matches are read back one at a time."""
        setup = self._plan.setup
        head = {
            "ruleset": setup.ruleset,
            "format": setup.match_format,
            "time_control": setup.time_control,
            "seed": setup.seed,
            "standings": [self._line(standing) for standing in self._standings(self._played())],
        }
        show(json_text(head).removesuffix("\n}") + ',\n  "matches": [')
        last = len(self._places) - 1
        for number, record in enumerate(self._records()):
            show(f"    {record}{',' if number < last else ''}")
        show("  ]\n}")

    def _played(self) -> list[Result]:
        return [result for result in self._results if result is not None]

    def _standings(self, results: list[Result]) -> list[Standing]:
        return standings(range(len(self._names)), results, cycles=self._plan.cycles)

    def _line(self, line: Standing) -> dict[str, Any]:
        return {
            "bot": self._names[line.number],
            "rank": line.rank,
            "matches": line.matches,
            "wins": line.wins,
            "draws": line.draws,
            "losses": line.losses,
            "score": _shown(line.score),
            "points": _shown(line.points),
        }

    def _records(self) -> Iterator[str]:
        if self._file is not None:
            for place in self._places:
                self._file.seek(place)
                yield self._file.readline().rstrip("\n")


def _shown(half_points: int) -> str:
    return str(Fraction(half_points, 2))
