"""Versions that fail time and again are parked: when, what follows, and what brings the bot back."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from arena.errors import Invalid
from arena.match.record import GameRecord, MatchRecord, Verdict
from arena.services import bots, ratings, standings, tournaments
from arena.services.parking import failure_of
from arena.store.accounts import User
from arena.store.session import Store
from tests.match.played import record_of
from tests.support import failing, field
from tests.support.cup import started
from tests.support.field import Moment
from tests.support.people import SOURCE, active_bots, qualify, register

SEVEN = ("abel", "beth", "cora", "dora", "emil", "fred", "gina")
"""A cycle of seven bots gives each of them six matches."""


@pytest.fixture
def owners(any_store: Store) -> dict[str, User]:
    return active_bots(any_store, SEVEN)


@pytest.fixture
def maker(any_store: Store) -> User:
    return register(any_store, "maker")


def version(store: Store, name: str, number: int = 1) -> Any:
    return bots.version(store, name, number)


def test_five_matches_failed_in_one_way_park_a_version(
    any_store: Store, owners: dict[str, User], maker: User
) -> None:
    cup = started(any_store, maker, bots=SEVEN, cycles=2)
    failing.play_out(any_store, {"abel": "exception"})
    parked = version(any_store, "abel")
    assert (parked.state, parked.fault_kind) == ("parked", "exception")
    assert "forfeited its last 5 matches in the same way" in parked.fault_message
    assert "Submit a new version" in parked.fault_message
    assert bots.show(any_store, "abel").active_version is None
    done = tournaments.show(any_store, cup.id)
    assert (done.state, done.finished, done.void) == ("finished", 30 + 5, 7)
    last = standings.standings(any_store, cup.id)[-1]
    assert (last.bot, last.is_withdrawn, last.matches) == ("abel", True, 0)
    assert {version(any_store, name).state for name in SEVEN[1:]} == {"active"}
    assert ratings.rebuild(any_store, dry_run=True).is_exact


def test_a_parked_bot_enters_nothing_until_a_new_version_qualifies(
    any_store: Store, owners: dict[str, User], maker: User
) -> None:
    waiting = tournaments.create(any_store, maker, name="later", ruleset="oware", bots=["abel", "beth", "cora"])
    started(any_store, maker, bots=SEVEN)
    failing.play_out(any_store, {"abel": "exception"})
    with pytest.raises(Invalid, match="abel has no active version"):
        tournaments.create(any_store, maker, name="now", ruleset="oware", bots=["abel", "beth"])
    everybody = tournaments.create(any_store, maker, name="everybody", ruleset="oware", bots="all")
    assert "abel" not in [entrant.bot for entrant in tournaments.entrants(any_store, everybody.id)]
    tournaments.start(any_store, maker, waiting.id)
    assert [entrant.bot for entrant in tournaments.entrants(any_store, waiting.id)] == ["beth", "cora"]
    bots.submit_version(any_store, owners["abel"], "abel", "bot.py", SOURCE + b"#2\n")
    qualify(any_store)
    assert bots.show(any_store, "abel").active_version == 2
    tournaments.create(any_store, maker, name="now", ruleset="oware", bots=["abel", "beth"])


def test_an_older_version_does_not_stand_in_for_a_parked_one(
    any_store: Store, owners: dict[str, User], maker: User
) -> None:
    bots.submit_version(any_store, owners["abel"], "abel", "bot.py", SOURCE + b"#2\n")
    qualify(any_store)
    started(any_store, maker, bots=SEVEN)
    failing.play_out(any_store, {"abel": "exception"})
    assert [version(any_store, "abel", number).state for number in (1, 2)] == ["active", "parked"]
    assert bots.show(any_store, "abel").active_version is None


def test_a_parked_version_leaves_every_tournament_under_way(
    any_store: Store, owners: dict[str, User], maker: User
) -> None:
    other = tournaments.create(any_store, maker, name="other", ruleset="oware", bots=["abel", "beth", "cora"])
    tournaments.start(any_store, maker, other.id)
    tournaments.pause(any_store, maker, other.id)
    started(any_store, maker, bots=SEVEN)
    failing.play_out(any_store, {"abel": "exception"})
    gone = [entrant.bot for entrant in tournaments.entrants(any_store, other.id) if entrant.withdrawn_at]
    assert gone == ["abel"]


@pytest.mark.usefixtures("owners")
def test_four_failures_do_not_park_and_a_good_match_starts_anew(any_store: Store, maker: User) -> None:
    started(any_store, maker, bots=SEVEN[:5])
    failing.play_out(any_store, {"abel": "exception"})
    assert version(any_store, "abel").state == "active"
    started(any_store, maker, name="second", bots=SEVEN[:2])
    field.play_out(any_store, Moment())
    started(any_store, maker, name="third", bots=SEVEN[:4])
    failing.play_out(any_store, {"abel": "exception"})
    assert version(any_store, "abel").state == "active"


@pytest.mark.usefixtures("owners")
def test_failing_in_two_ways_does_not_park(any_store: Store, maker: User) -> None:
    started(any_store, maker, bots=SEVEN)
    failing.play_out(any_store, {"abel": "exception"}, count=12)
    failing.play_out(any_store, {"abel": "timeout"})
    assert version(any_store, "abel").state == "active"


@pytest.mark.parametrize(("time_control", "state"), [("bullet", "active"), ("quick", "parked"), ("blitz", "parked")])
def test_running_out_of_little_time_does_not_park(
    store: Store, time_control: str, state: str
) -> None:
    active_bots(store, SEVEN)
    started(store, register(store, "maker"), bots=SEVEN, time_control=time_control)
    failing.play_out(store, {"abel": "timeout"})
    assert version(store, "abel").state == state


def with_games(record: MatchRecord, *endings: tuple[int, str | None]) -> MatchRecord:
    """The record with games of these losers, None for no fault."""
    game: GameRecord = record.games[0]
    games = tuple(
        replace(
            game, winner=1 - loser, ending=kind or "majority",
            verdict=None if kind is None else Verdict(loser, kind, "said why"),
        )
        for loser, kind in endings
    )
    return replace(record, games=games, winner=1, points=(Fraction(0), Fraction(2)))


@pytest.mark.parametrize(
    ("endings", "kind"),
    [
        ([(0, "crash"), (0, "crash")], "crash"),
        ([(0, "crash"), (1, None), (0, "crash"), (0, "crash")], "crash"),
        ([(0, "crash"), (0, "memory")], None),
        ([(0, "crash"), (0, None)], None),
        ([(0, None), (0, None)], None),
    ],
)
def test_who_loses_by_one_kind_of_fault_alone_fails(endings: list[tuple[int, str | None]], kind: str | None) -> None:
    record = with_games(record_of("oware", "games-2", 4), *endings)
    assert failure_of(record, 0) == kind
    assert failure_of(record, 1) is None
