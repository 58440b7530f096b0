"""The demo's contest, all of it over HTTP: users, their bots, a round robin per game; and the check that it is true."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arena.cli.bots import wait_for_verdict
from arena.cli.client import Client
from arena.cli.local import shipped_bots
from arena.errors import DemoFailed

CYCLES = 1


@dataclass(frozen=True, slots=True)
class Contestant:
    """Somebody with a bot; `source` is what is submitted."""

    user: str
    bot: str
    source: bytes


@dataclass(frozen=True, slots=True)
class Contest:
    """What was created on the server: the tournament of each game, and who plays in it."""

    game: str
    tournament: int
    bots: tuple[str, ...]


def contestants() -> tuple[Contestant, ...]:
    """The shipped bots, and one of them made shorter of sight, each with an owner of its own."""
    sources = {name: path.read_bytes() for name, path in shipped_bots().items()}
    sources["minimax-2"] = sources["minimax"].replace(b"DEPTH = 4", b"DEPTH = 2")
    return tuple(Contestant(f"{name}-dev", name, source) for name, source in sources.items())


def enter(url: str, entrants: Sequence[Contestant], games: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Register everybody and submit a bot for every game; gives each bot and its verdict, once all are submitted.

    Raises: DemoFailed when one is not active.
    """
    submitted = []
    for entrant in entrants:
        client = registered(url, entrant.user)
        for game in games:
            bot = client.submit(bot_name(entrant.bot, game), game, (f"{entrant.bot}.py", entrant.source))
            submitted.append((client, bot["name"]))
    for client, name in submitted:
        version = wait_for_verdict(client, name, 1)
        if version["state"] != "active":
            raise DemoFailed(
                f"{name} is {version['state']}, not active: {version['fault_kind']}, {version['fault_message']}"
            )
        yield name, version["state"]


def registered(url: str, user: str) -> Client:
    """A client for a new user."""
    login = Client(url).register(user, secrets.token_urlsafe(16))
    return Client(url, login["token"])


def begin(organizer: Client, entrants: Sequence[Contestant], game: str) -> Contest:
    """Create and start the round robin of a game."""
    bots = tuple(bot_name(entrant.bot, game) for entrant in entrants)
    wanted = {"name": f"demo-{game}", "ruleset": game, "bots": list(bots), "cycles": CYCLES}
    made = organizer.post("/tournaments", wanted)
    organizer.post(f"/tournaments/{made['id']}/start")
    return Contest(game, made["id"], bots)


def bot_name(bot: str, game: str) -> str:
    """A bot plays one game; so does each of its copies."""
    return f"{bot}-{game}"


def check(client: Client, contest: Contest) -> None:
    """Read everything back and hold it against what a complete round robin must give.  Raises: DemoFailed."""
    rounds = CYCLES * (len(contest.bots) - 1)
    tournament = client.get(f"/tournaments/{contest.tournament}")
    matches = len(contest.bots) * rounds // 2
    _expect(contest, "state", tournament["state"], "finished")
    _expect(contest, "matches", (tournament["finished"], tournament["void"]), (matches, 0))
    standings = client.get(f"/tournaments/{contest.tournament}/standings")["items"]
    _expect_each(contest, "matches in the standings", standings, lambda line: line["matches"], rounds)
    cells = client.get(f"/tournaments/{contest.tournament}/crosstable")["cells"]
    _expect(contest, "cells of the crosstable", len(cells), len(contest.bots) * (len(contest.bots) - 1))
    board = client.get(f"/leaderboards/{contest.game}")
    _expect(contest, "source of the leaderboard", board["source"], "redis")
    _expect(contest, "bots on the leaderboard", sorted(line["bot"] for line in board["items"]), sorted(contest.bots))
    _expect_each(contest, "rated matches", board["items"], lambda line: line["matches"], rounds)
    _expect(
        contest, "sum of ratings", round(sum(line["rating"] for line in board["items"]), 3), 1500.0 * len(contest.bots)
    )


def _expect_each(contest: Contest, what: str, lines: Any, value: Callable[[Any], object], wanted: object) -> None:
    for line in lines:
        _expect(contest, f"{what} of {line['bot']}", value(line), wanted)


def _expect(contest: Contest, what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise DemoFailed(f"{contest.game}: {what}: {found!r}, which must be {wanted!r}")
