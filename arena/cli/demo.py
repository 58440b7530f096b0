"""`arena demo`: an arena on this machine, a tournament of the shipped bots, and the tables, in one go."""

import os
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.console import note, show

if TYPE_CHECKING:
    from arena.cli.stack import Stack


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command()(demo)


def demo(
    is_once: Annotated[
        bool, typer.Option("--once", help="End when all is played; 0 only if all of it is right.")
    ] = False,
    only: Annotated[
        list[str] | None, typer.Option("--game", help="Only this game; may be given several times.", show_default=False)
    ] = None,
    port: Annotated[int, typer.Option("--port", help="First choice for the site's port.", min=1, max=65535)] = 8000,
) -> None:
    """Run an arena here, let the shipped bots play round robins of all five games,
    and show the tables.

    Everything goes over HTTP, as with any other user: register, submit, run a
    tournament, read a leaderboard. The site stays up until Ctrl-C. What a demo
    keeps is gone at its end; `arena up` runs an arena that stays.

    \b
    Examples:
      arena demo
      arena demo --once --game oware
    """
    from arena import games
    from arena.cli.stack import Plan, Stack

    chosen = tuple(dict.fromkeys(games.load(name).name for name in only or games.names()))
    is_played = False
    with _folder() as folder, _interruptible():
        try:
            with Stack(Plan(folder, port), note) as stack:
                _run(stack, chosen)
                is_played = True
                if not is_once:
                    note(f"The site stays up at {stack.url} until Ctrl-C.")
                    note(f"Next: write a bot, see bots/README.md, and let it in: `{stack.login_command}`")
                    stack.wait()
        except KeyboardInterrupt as interrupt:
            note("Stopped; nothing is left running.")
            number = interrupt.args[0] if interrupt.args else signal.SIGINT
            raise typer.Exit(0 if is_played else 128 + number) from None


@contextmanager
def _folder() -> Iterator[Path]:
    """Where this demo keeps its things, removed at its end; the sandbox's image is shared with all that runs here."""
    from arena.cli.local import sandbox_dir

    os.environ.setdefault("ARENA_SANDBOX_DIR", str(sandbox_dir()))
    with tempfile.TemporaryDirectory(prefix="arena-demo-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@contextmanager
def _interruptible() -> Iterator[None]:
    """SIGTERM and SIGINT stop everything in order; a script's background jobs would else ignore SIGINT."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt(number)

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(stack: "Stack", games: Sequence[str]) -> None:
    """The contest, from registering to the leaderboards; when the stack fails in between, that is the error to show."""
    from arena.errors import ServerAway

    started = time.monotonic()
    try:
        _play(stack.url, games)
    except ServerAway:
        stack.wait()
        raise
    note(f"All read back over HTTP and found right, after {time.monotonic() - started:.1f} s of play.")


def _play(url: str, games: Sequence[str]) -> None:
    from arena.cli import contest, crosstable, leaderboard
    from arena.cli.client import Client
    from arena.cli.console import progress_bar
    from arena.cli.tournament import follow

    entrants = contest.contestants()
    bots = ", ".join(entrant.bot for entrant in entrants)
    note(f"{len(entrants)} users register and submit a bot for each game: {bots}")

    with progress_bar() as bar:
        for _ in bar.track(contest.enter(url, entrants, games), total=len(entrants) * len(games), description="bots"):
            pass
    note(f"All have qualified; now they play {', '.join(games)}.")
    organizer = contest.registered(url, "organizer")
    contests = [contest.begin(organizer, entrants, game) for game in games]
    reader = Client(url)
    for each in contests:
        follow(reader, each.tournament)
    for each in contests:
        contest.check(reader, each)
        show(f"\nRound robin of {each.game}: {url}/tournaments/{each.tournament}")
        crosstable.show_from_server(reader, each.tournament)
        leaderboard.show_board(reader.get(f"/leaderboards/{each.game}"))
