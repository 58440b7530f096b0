"""Archives for tests: of tournaments that were really played, and the tools of a forger."""

import io
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from arena.archive.lines import LineWriter
from arena.archive.proof import Proof
from arena.archive.verify import verify
from arena.errors import BotException, BotTimeout
from arena.games import Game
from arena.match.player import MatchInfo
from arena.match.record import MatchPlayed, MatchSetup
from arena.match.referee import play_match
from arena.match.turn import ClockView, Reply, Timing
from arena.services import archives, dispatch, results, tournaments
from arena.store.session import Store
from tests.support import cup, field
from tests.support.field import DicePlayer, Moment, Post
from tests.support.people import active_bots, qualify, register

Lines = list[dict[str, Any]]


class Clumsy(DicePlayer):
    """Plays as dice do, takes its time, and fails in long games: a fault to be found in some records."""

    def choose(self, game: Game, clock: ClockView, limit_us: int) -> Reply:
        if game.turns == 60:
            raise BotException("ZeroDivisionError: not today", timing=Timing(900, 1_000, 900, 100))
        if game.turns == 61:
            raise BotTimeout("the answer took 3000 ms", process_ended=True)
        return Reply(super().choose(game, clock, limit_us).moves, Timing(1_500, 1_600, 1_400, 100))


def play(setup: MatchSetup) -> MatchPlayed:
    """The match, always the same for the same setup; dora is clumsy."""

    def open_player(seat: int, info: MatchInfo, seed: bytes) -> DicePlayer:
        bot = setup.bots[seat]
        return (Clumsy if bot.name == "dora" else DicePlayer)(f"{bot.name}/{bot.version}")

    return play_match(setup, open_player, lambda game, ply: None)


def play_out(store: Store, most: int | None = None) -> None:
    """Play what is due, so many matches or all, one after the other in the order of the queue."""
    moment, played = Moment(), 0
    while most is None or played < most:
        dispatch.tick(store, Post(), moment)
        queued = cup.queued_ids(store)
        if not queued:
            return
        for assignment in dispatch.claim_each(store, "w1", queued[:1], moment):
            results.ingest(store, assignment, play(assignment.setup), 100, moment)
            played += 1


def of_tournament(store: Store, name: str) -> bytes:
    out = io.BytesIO()
    archives.export_tournament(store, name, out.write, lambda done, total: None)
    return out.getvalue()


def of_ruleset(store: Store, ruleset: str = "oware") -> bytes:
    out = io.BytesIO()
    archives.export_ruleset(store, ruleset, out.write, lambda done, total: None)
    return out.getvalue()


@dataclass(frozen=True)
class Archives:
    """What `history` gives: two of one tournament each, one of everything."""

    cup: bytes
    league: bytes
    oware: bytes


@cache
def history() -> Archives:
    """A cup; then a league of two cycles with a new version of abel, which cora leaves early on."""
    with field.scratch_store() as store:
        owners, maker = active_bots(store, cup.NAMES), register(store, "maker")
        cup.started(store, maker)
        play_out(store)
        submit_again(store, owners["abel"], "abel")
        league = cup.started(store, maker, name="league", cycles=2, match_format="best-of-3")
        play_out(store, 3)
        tournaments.withdraw(store, maker, league.id, "cora")
        play_out(store)
        return Archives(of_tournament(store, "cup"), of_tournament(store, "league"), of_ruleset(store))


def submit_again(store: Store, owner: Any, bot: str) -> None:
    """One more active version of a bot."""
    from arena.services import bots

    bots.submit_version(store, owner, bot, "bot.py", b"def choose_move(position):\n    return 0\n")
    qualify(store)


def proof_of(content: bytes) -> Proof:
    return verify(io.BytesIO(content))


def lines_of(content: bytes) -> Lines:
    """The objects of an archive, without their chain values."""
    found = [json.loads(line) for line in content.splitlines()]
    for line in found:
        del line["chain"]
    return found


def chained(lines: Iterable[dict[str, Any]]) -> bytes:
    """The file of these objects, with the chain that belongs to them, and an end that counts them."""
    out = io.BytesIO()
    writer = LineWriter(out.write)
    for line in lines:
        writer.add(line)
    return out.getvalue()


def forged(content: bytes, change: Callable[[Lines], object]) -> bytes:
    """The archive with a change of its content that its chain does not give away."""
    lines = lines_of(content)
    change(lines)
    count(lines)
    return chained(lines)


def count(lines: Lines) -> None:
    """Let header and end agree with what is between them."""
    header, end = lines[0], lines[-1]
    matches = of_kind(lines, "match")
    header["matches"] = end["matches"] = len(matches)
    end["games"] = sum(match["result"]["games"] for match in matches if match["result"])
    end["ratings"] = len(of_kind(lines, "rating"))
    end["lines"] = len(lines)


def of_kind(lines: Lines, kind: str) -> Lines:
    return [line for line in lines if line["kind"] == kind]
