"""`arena perft`: how many ways there are to play so many turns; as it may take very long, what is counted is told."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options
from arena.cli.console import note, progress_bar, show, show_json

if TYPE_CHECKING:
    from rich.progress import Progress

    from arena.games import Position

    TurnsOf = Callable[[Position], Iterable[Position]]

MOST_SET_UPS = 1_000_000        # ways to set up a board that are counted one by one
TELL_EVERY = 1_000              # turns


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command()(perft)


def perft(
    ruleset: options.Ruleset,
    depth: Annotated[int, typer.Argument(help="How many turns deep.", min=1, show_default=False)],
    is_default_bonus: Annotated[
        bool, typer.Option("--default-bonus", help="Nsolo: one bonus for each sowing, from the fullest pits.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Count the ways to play so many turns from the start of a game: a check of
    the rules, and of their speed.

    Only what the board says ends a game here, not repetition or a limit on
    length. Each turn more takes several times as long; Ctrl-C stops, and keeps
    the depths that are counted. A set-up phase with over a million ways to set
    up, as in omweso:setup=free, is not counted.

    \b
    Examples:
      arena perft oware 6
      arena perft urim:pits=7 5 --json
      arena perft nsolo 5 --default-bonus
    """
    from arena import games as rules
    from arena.errors import UnknownOption
    from arena.games.perft import turns, turns_with_default_bonus

    start = rules.load(ruleset).initial()
    if is_default_bonus and start.rules.name != "nsolo":
        raise UnknownOption(f"{start.rules.name} has no bonus; --default-bonus is for nsolo alone")
    _refuse_endless_set_up(start)
    turns_of = turns_with_default_bonus if is_default_bonus else turns
    started = time.perf_counter()
    counts = _counts(start, depth, turns_of, is_silent=as_json)
    seconds = time.perf_counter() - started
    if as_json:
        total = counts[-1] if len(counts) == depth else None
        show_json({"ruleset": start.rules.ruleset, "depth": depth, "count": total, "by_depth": counts})
    else:
        note(f"{sum(counts):,} counted in {seconds:.2f} s")
    if len(counts) < depth:
        raise typer.Exit(130)


def _counts(start: "Position", depth: int, turns_of: "TurnsOf", *, is_silent: bool) -> list[int]:
    """The count of each depth, shown at once, as the next may take very long; those there are when somebody stops."""
    counts: list[int] = []
    with progress_bar(is_silent=is_silent) as bar:
        try:
            for plies in range(1, depth + 1):
                counts.append(_counted(start, plies, turns_of, bar))
                if not is_silent:
                    show(f"{plies:3} {counts[-1]:>15,}")
        except KeyboardInterrupt:
            note(f"Stopped in depth {len(counts) + 1} of {depth}.")
    return counts


def _counted(start: "Position", plies: int, turns_of: "TurnsOf", bar: "Progress") -> int:
    """The count of this depth; the bar shows how many turns were made on the way, and how many first turns are done."""
    from arena.games.perft import perft as count

    task = bar.add_task(f"depth {plies}", total=None)
    made = 0
    firsts = list(turns_of(start)) if plies > 1 else []
    bar.update(task, total=len(firsts) or None)

    def told(position: "Position") -> Iterator["Position"]:
        nonlocal made
        for after in turns_of(position):
            made += 1
            if made % TELL_EVERY == 0:
                bar.update(task, description=f"depth {plies}, {made:,} turns made")
            yield after

    counted = 0 if plies > 1 else count(start, plies, told)
    for after in firsts:
        counted += count(after, plies - 1, told)
        bar.advance(task)
    bar.remove_task(task)
    return counted


def _refuse_endless_set_up(start: "Position") -> None:
    """Raises: UnknownOption when nobody would see the end of the first turn."""
    from arena.errors import UnknownOption
    from arena.games.omweso_set_up import SEEDS

    if start.rules.options.get("setup") != "free":
        return
    cap = start.rules.options["setup_cap"]
    ways = set_ups(start.rules.pits_a_side, SEEDS, cap if isinstance(cap, int) else SEEDS)
    if ways > MOST_SET_UPS:
        raise UnknownOption(
            f"{start.rules.ruleset} begins with {ways:,} ways to set up a side, which nobody can count one by one; "
            "take a fixed set-up, such as omweso:setup=outer4, or a setup_cap of 2"
        )


def set_ups(pits: int, seeds: int, cap: int) -> int:
    """In how many ways so many seeds lie in so many pits, at most `cap` in each.

    >>> set_ups(2, 3, 2)
    2
    """
    ways = [1] + [0] * seeds
    for _ in range(pits):
        ways = [sum(ways[max(0, total - cap) : total + 1]) for total in range(seeds + 1)]
    return ways[seeds]
