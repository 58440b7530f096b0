"""`arena tournament run`: a round robin on this machine, without a server."""

import os
import tempfile
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options
from arena.cli.console import note, progress_bar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.cli.local import LocalBot
    from arena.cli.match_pool import Played

MOST_WORKERS = 64


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
    from arena.cli.local_report import Report
    from arena.cli.match_pool import Plan, played
    from arena.cli.play import checked_setup
    from arena.tournament.round_robin import match_count

    plan = Plan(
        checked_setup(ruleset, match_format, time_control, seed, opening_plies), _entrants(bots), cycles, is_unsafe
    )
    count = match_count(len(plan.bots), cycles)
    with tempfile.TemporaryFile("w+") as file:
        report = Report(plan, count, file if as_json else None)
        done = 0
        try:
            with played(plan, count, workers or len(os.sched_getaffinity(0))) as matches:
                for index, record in _followed(matches, count, is_silent=as_json):
                    report.add(index, record)
                    done += 1
        except KeyboardInterrupt:
            seed = plan.setup.seed
            note(f"Stopped after {done} of {count} matches; nothing is kept. The same tournament again: --seed {seed}")
            raise
        if as_json:
            report.show_json()
        else:
            report.tell()


def _followed(matches: "Iterator[Played]", count: int, *, is_silent: bool) -> "Iterator[Played]":
    """The same, with a progress bar; where there is no terminal, with a line whenever a quarter is done."""
    quarter = 0
    with progress_bar(is_silent=is_silent) as bar:
        task = bar.add_task("matches", total=count)
        for done, match in enumerate(matches, 1):
            bar.update(task, completed=done)
            if bar.disable and not is_silent and quarter < 4 * done // count < 4:
                quarter = 4 * done // count
                note(f"{done} of {count} matches are played")
            yield match


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
