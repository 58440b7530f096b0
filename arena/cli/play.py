"""`arena play`: one match on this machine."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from arena.cli import options
from arena.cli.console import note, progress_bar, quoted, show, show_json
from arena.cli.tables import show_table

if TYPE_CHECKING:
    from arena.cli.local import Venue
    from arena.match.record_types import GameRecord, MatchPlayed, MatchRecord, MatchSetup
    from arena.match.referee import OnProgress

LOG_LINES = 15
Bot = typer.Argument(help="A .py or .zip file, or a shipped bot: random, greedy, minimax.", show_default=False)


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command()(play)


def play(
    ruleset: options.Ruleset,
    first: Annotated[str, Bot],
    second: Annotated[str, Bot],
    match_format: options.Format = None,
    game_count: Annotated[
        int | None,
        typer.Option("--games", help="Exactly so many games, instead of --format.", min=1, show_default=False),
    ] = None,
    time_control: options.TimeControl = None,
    seed: options.Seed = None,
    opening_plies: options.OpeningPlies = 0,
    is_watched: Annotated[
        bool, typer.Option("--watch", help="Show the board before every turn; with --json, on stderr.")
    ] = False,
    is_unsafe: options.Unsafe = False,
    as_json: options.Json = False,
) -> None:
    """Play a match between two bots, here and now, by the arena's rules and in
    its sandbox.

    The first bot is South, which moves first, in game 1; then they change
    seats. A bot that breaks a rule or its time loses that game, and the reason
    is shown; what your bots print is shown at the end.

    With --json, bots are 0 (the first named) and 1, `points` are exact texts, and
    `score` is that of the match in half-points: 2, 0 for a win, 1, 1 for a draw.
    `seed` is the one that was given or drawn.

    \b
    Examples:
      arena play oware minimax random --games 20
      arena play urim:pits=7 my_bot.py greedy --seed 1 --json
    """
    from arena.cli import local
    from arena.errors import Invalid

    if match_format is not None and game_count is not None:
        raise Invalid(f"--games {game_count} is short for --format games-{game_count}; give one of the two")
    setup = checked_setup(
        ruleset, match_format or (f"games-{game_count}" if game_count else None), time_control, seed, opening_plies
    )
    bots = (local.read_bot(first), local.read_bot(second))
    setup = replace(setup, bots=(bots[0].ref, bots[1].ref))
    with _progress(setup, is_silent=as_json or is_watched) as on_progress, local.venue(is_unsafe=is_unsafe) as venue:
        seen = _watched(venue, *((note, sys.stderr) if as_json else (show, sys.stdout))) if is_watched else venue
        played = local.play(setup, bots, seen, on_progress)
    if as_json:
        show_json(as_dict(played))
        note(f"The same match again: --seed {setup.seed}")
    else:
        _tell(played)


def checked_setup(
    ruleset: str, match_format: str | None, time_control: str | None, seed: str | None, plies: int
) -> "MatchSetup":
    """What was typed, checked, in its canonical spelling; the bots are still to come."""
    from arena import games
    from arena.cli import local
    from arena.match.format import default_format, parse_format
    from arena.match.openings import check_opening_plies
    from arena.match.record_types import BotRef, MatchSetup
    from arena.match.time_control import DEFAULT_TIME_CONTROL, parse_time_control

    rules = games.load(ruleset)
    form = parse_format(match_format or default_format(rules.name), game=rules.name)
    control = parse_time_control(time_control or DEFAULT_TIME_CONTROL)
    check_opening_plies(plies)
    nobody = BotRef("", 1, "")
    return MatchSetup(rules.ruleset, form.name, str(control), local.seed_from(seed), plies, (nobody, nobody))


@contextmanager
def _progress(setup: "MatchSetup", *, is_silent: bool) -> Iterator["OnProgress"]:
    """A progress bar; who interrupts the match is told how far it was."""
    kind, _, number = setup.match_format.partition("-")
    total = int(number) if kind == "games" else None
    done = 0

    def advance(game: int, ply: int) -> None:
        nonlocal done
        done = game
        bar.update(task, completed=game, description=f"game {game + 1}, turn {ply}")

    try:
        with progress_bar(is_silent=is_silent) as bar:
            task = bar.add_task("games", total=total)
            yield advance
    except KeyboardInterrupt:
        games = "1 game" if done == 1 else f"{done} games"
        note(f"Stopped after {games}; nothing is kept. The same match again: --seed {setup.seed}")
        raise


def _watched(venue: "Venue", tell: Callable[[str], None], stream: TextIO) -> "Venue":
    """The same place, with somebody watching over the bots' shoulders, on this stream."""
    from arena.cli.local import Venue
    from arena.cli.watch import Watched

    pause = 0.4 if stream.isatty() else 0.0
    return Venue(lambda *match: Watched(venue.open_package(*match), tell, lambda: time.sleep(pause)), venue.isolation)


def as_dict(played: "MatchPlayed") -> dict[str, Any]:
    """A match for programs: 0 is the first bot named, 1 the second, never a side of the board.

    `score` is the match's, in half-points (2 for a win), and `points` are those of its games, as exact texts.
    """
    record = played.record
    return {
        "ruleset": record.ruleset,
        "format": record.match_format,
        "bots": [bot.name for bot in record.bots],
        "score": list(record.score),
        "points": [str(points) for points in record.points],
        "winner": record.winner,
        "seed": record.seed,
        "games": [_game(game) for game in record.games],
        "logs": {"first": played.logs[0], "second": played.logs[1]},
    }


def _game(game: "GameRecord") -> dict[str, Any]:
    verdict = game.verdict and {"seat": game.verdict.seat, "kind": game.verdict.kind, "message": game.verdict.message}
    return {
        "south": game.south,
        "winner": game.winner,
        "ending": game.ending,
        "points": [str(points) for points in game.points],
        "moves": list(game.moves),
        "verdict": verdict,
    }


def _tell(played: "MatchPlayed") -> None:
    record = played.record
    names = tuple(bot.name for bot in record.bots)
    rows = [
        (
            number,
            names[game.south],
            "-" if game.winner is None else names[game.winner],
            game.ending,
            f"{game.points[0]} : {game.points[1]}",
            len(game.moves),
        )
        for number, game in enumerate(record.games, 1)
    ]
    show_table("", ("#game", "South", "winner", "ending", "points", "#moves"), rows)
    for number, game in enumerate(record.games, 1):
        if game.verdict:
            note(f"Game {number}: {names[game.verdict.seat]} forfeits ({game.verdict.kind}): {game.verdict.message}")
    show(_result(record, names))
    for name, log in zip(names, played.logs, strict=True):
        if log.strip():
            note(f"{name} printed:\n{quoted(log, LOG_LINES)}")
    note(f"The same match again: --seed {record.seed}")


def _result(record: "MatchRecord", names: tuple[str, ...]) -> str:
    how = f"{record.ruleset}, {record.match_format}, {record.time_control}"
    if record.winner is None:
        return f"{names[0]} and {names[1]} draw, {record.points[0]} to {record.points[1]} ({how})"
    loser = 1 - record.winner
    return (
        f"{names[record.winner]} beats {names[loser]}, {record.points[record.winner]} to {record.points[loser]} ({how})"
    )
