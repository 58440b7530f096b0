"""`arena tournament run`: a round robin on this machine, without a server."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import crosstable, options
from arena.cli.console import note, progress_bar, show_json

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

    from arena.cli.local import LocalBot, Venue
    from arena.match.record_types import MatchRecord, MatchSetup
    from arena.tournament.standings import Result

MOST_WORKERS = 64


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is the same for all matches; it travels to the processes that play them."""

    setup: "MatchSetup"  # its seed is the tournament's
    bots: tuple["LocalBot", ...]
    cycles: int
    is_unsafe: bool


def run(
    ruleset: options.Ruleset,
    bots: options.Bots,
    match_format: options.Format = None,
    time_control: options.TimeControl = None,
    cycles: options.Cycles = 1,
    opening_plies: options.OpeningPlies = 4,
    seed: options.Seed = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", help="Matches at once (default: one a processor).", min=1, max=MOST_WORKERS, show_default=False
        ),
    ] = None,
    is_unsafe: options.Unsafe = False,
    as_json: options.Json = False,
) -> None:
    """Play a round robin here, and show the crosstable. Nothing is saved,
    nothing is rated.

    \b
    Examples:
      arena tournament run oware minimax greedy random my_bot.py
      arena tournament run nsolo a.py b.zip --cycles 2 --json
    """
    from arena.cli.play import checked_setup
    from arena.tournament.round_robin import match_count

    plan = Plan(
        checked_setup(ruleset, match_format, time_control, seed, opening_plies), _entrants(bots), cycles, is_unsafe
    )
    count = match_count(len(plan.bots), cycles)
    records: dict[int, MatchRecord] = {}
    played = _played(plan, count, workers or len(os.sched_getaffinity(0)))
    with progress_bar(is_silent=as_json) as bar:
        for index, record in bar.track(played, total=count, description="matches"):
            records[index] = record
    matches = [records[index] for index in range(count)]
    if as_json:
        show_json(_as_dict(plan, matches))
    else:
        _tell(plan, matches)


def _entrants(texts: list[str]) -> tuple["LocalBot", ...]:
    """The bots, each under a name of its own.  Raises: Invalid."""
    from arena.cli.local import read_bot
    from arena.errors import Invalid

    if len(texts) < 2:
        raise Invalid(
            f"a tournament needs at least two bots, not {len(texts)}; shipped ones are random, greedy and minimax"
        )
    bots = tuple(read_bot(text) for text in texts)
    for number, bot in enumerate(bots):
        if any(bot.name == other.name for other in bots[:number]):
            raise Invalid(f"two bots are called {bot.name!r}; copy one to a file of another name")
    return bots


def _played(plan: Plan, count: int, workers: int) -> Iterator[tuple[int, "MatchRecord"]]:
    """Every match, as it is finished; each process has a sandbox of its own, checked before it is used."""
    is_stopped = multiprocessing.Event()
    with ProcessPoolExecutor(min(workers, count), initializer=_begin, initargs=(plan, is_stopped)) as pool:
        try:
            for future in as_completed([pool.submit(_play_one, index) for index in range(count)]):
                yield future.result()
        finally:  # after the last match; or early, on Ctrl-C or a failure
            is_stopped.set()
            pool.shutdown(wait=True, cancel_futures=True)


class _Stopped(Exception):
    """The tournament was broken off."""


class _Process:
    """What a playing process keeps from match to match."""

    plan: Plan
    is_stopped: "Event"
    venue: "Venue | None" = None


def _begin(plan: Plan, is_stopped: "Event") -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent tells us to stop
    _Process.plan, _Process.is_stopped = plan, is_stopped


def _venue() -> "Venue":
    """This process's sandbox: opened with its first match, closed when the process ends."""
    from arena.cli import local

    if _Process.venue is None:
        kept_open = ExitStack()
        _Process.venue = kept_open.enter_context(local.venue(is_unsafe=_Process.plan.is_unsafe))
        Finalize(None, kept_open.close, exitpriority=1)
    return _Process.venue


def _play_one(index: int) -> tuple[int, "MatchRecord"]:
    from arena.cli import local
    from arena.match.openings import match_seed
    from arena.tournament.round_robin import pairing_at

    plan = _Process.plan
    pairing = pairing_at(len(plan.bots), plan.cycles, index)
    bots = (plan.bots[pairing.first], plan.bots[pairing.second])
    setup = replace(plan.setup, seed=match_seed(plan.setup.seed, index), bots=(bots[0].ref, bots[1].ref))
    return index, local.play(setup, bots, _venue(), _stop_when_told).record


def _stop_when_told(game: int, ply: int) -> None:
    if _Process.is_stopped.is_set():
        raise _Stopped


def _results(plan: Plan, matches: list["MatchRecord"]) -> list["Result"]:
    from arena.tournament.round_robin import pairing_at
    from arena.tournament.standings import Result

    results = []
    for index, record in enumerate(matches):
        pairing = pairing_at(len(plan.bots), plan.cycles, index)
        points = (int(2 * record.points[0]), int(2 * record.points[1]))
        results.append(Result(pairing.first, pairing.second, record.score, points))
    return results


def _tell(plan: Plan, matches: list["MatchRecord"]) -> None:
    from arena.tournament import standings

    names = [bot.name for bot in plan.bots]
    numbers = range(len(names))
    results = _results(plan, matches)
    cells = standings.crosstable(numbers, results, cycles=plan.cycles)
    scores = {(names[one], names[other]): str(Fraction(cell.score, 2)) for (one, other), cell in cells.items()}
    lines = [
        crosstable.Line(
            names[line.number], line.rank, line.matches, str(Fraction(line.score, 2)), str(Fraction(line.points, 2))
        )
        for line in standings.standings(numbers, results, cycles=plan.cycles)
    ]
    crosstable.show(
        f"{plan.setup.ruleset}, {plan.setup.match_format}, {plan.setup.time_control}",
        lines,
        lambda bot, opponent: scores.get((bot, opponent)),
    )
    for record in matches:
        for verdict in {game.verdict.kind: game.verdict for game in record.games if game.verdict}.values():
            bot, opponent = record.bots[verdict.seat].name, record.bots[1 - verdict.seat].name
            note(f"{bot} forfeited against {opponent} ({verdict.kind}): {verdict.message}")
    note(f"The same tournament again: --seed {plan.setup.seed}")


def _as_dict(plan: Plan, matches: list["MatchRecord"]) -> dict[str, Any]:
    from arena.match.record import to_json
    from arena.tournament import standings

    names = [bot.name for bot in plan.bots]
    table = standings.standings(range(len(names)), _results(plan, matches), cycles=plan.cycles)
    return {
        "ruleset": plan.setup.ruleset,
        "format": plan.setup.match_format,
        "time_control": plan.setup.time_control,
        "seed": plan.setup.seed,
        "standings": [
            {
                "bot": names[line.number],
                "rank": line.rank,
                "matches": line.matches,
                "wins": line.wins,
                "draws": line.draws,
                "losses": line.losses,
                "score": str(Fraction(line.score, 2)),
                "points": str(Fraction(line.points, 2)),
            }
            for line in table
        ],
        "matches": [to_json(record) for record in matches],
    }
