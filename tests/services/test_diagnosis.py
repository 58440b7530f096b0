"""What an owner sees of the last matches: each failure with its position and the time left, and where time went."""

import pytest
from sqlalchemy import update

from arena.errors import Forbidden
from arena.games import Game
from arena.match.time_control import parse_time_control
from arena.services import accounts, diagnosis
from arena.services.diagnosis import LOOKED_AT, Diagnosis
from arena.store.accounts import User
from arena.store.schema import bots
from arena.store.session import Store
from tests.match.played import forfeited_record, record_of, unfinished_turn_record
from tests.support.finished import add_match
from tests.support.people import CHEAP, PASSWORD

FIRST, SECOND = forfeited_record().bots


@pytest.fixture
def ama(store: Store) -> User:
    return accounts.register(store, "ama", PASSWORD, cost=CHEAP)[0]


def look(store: Store, user: User, bot: str) -> Diagnosis:
    """With the bot given to the user first."""
    with store.write() as tx:
        tx.execute(update(bots).where(bots.c.name == bot).values(owner_id=user.id))
    return diagnosis.diagnose(store, user, bot)


def test_a_failure_has_the_board_and_the_clock_of_its_turn(store: Store, ama: User) -> None:
    record = forfeited_record()
    number = add_match(store, record)
    seen = look(store, ama, FIRST.name)
    (failure,) = [one for one in seen.forfeits if one.verdict.kind == "exception"]
    game = record.games[failure.number - 1]
    played = Game(failure.position.rules)
    for move in game.moves:
        played.push(move)
    assert (failure.match_id, failure.opponent) == (number, SECOND.name)
    assert (failure.position, failure.ply) == (played.position, played.turns)
    control = parse_time_control(record.time_control)
    own = [turn.timing.charged_us for turn in game.turns if turn.seat == 0]
    over = sum(max(0, us - control.turn_ms * 1000) for us in own[:-1])
    assert (failure.turn_us, failure.bank_us) == (control.turn_ms * 1000, control.bank_ms * 1000 - over)
    assert failure.used_us == own[-1] == 5_000


def test_every_failure_of_a_bot_is_told_and_none_of_its_opponents(store: Store, ama: User) -> None:
    record = forfeited_record()
    add_match(store, record)
    for seat, bot in enumerate((FIRST, SECOND)):
        expected = [game.verdict.kind for game in record.games if game.verdict and game.verdict.seat == seat]
        told = [failure.verdict.kind for failure in look(store, ama, bot.name).forfeits]
        assert told == expected[::-1]
        assert expected


def test_a_bot_that_is_not_loaded_was_never_asked(store: Store, ama: User) -> None:
    add_match(store, forfeited_record())
    (failure,) = [one for one in look(store, ama, SECOND.name).forfeits if one.verdict.is_loading]
    assert (failure.ply, failure.used_us) == (0, None)
    assert failure.position == failure.position.rules.initial()


def test_a_turn_that_broke_off_is_asked_about_from_its_beginning(store: Store, ama: User) -> None:
    record = unfinished_turn_record()
    add_match(store, record)
    failure = look(store, ama, record.bots[0].name).forfeits[-1]
    assert failure.position == failure.position.turn_start


def test_times_are_those_of_the_bots_own_turns(store: Store, ama: User) -> None:
    record = record_of("oware", "games-2", 4)
    add_match(store, record)
    seen = look(store, ama, record.bots[1].name)
    own = [turn for game in record.games for turn in game.turns if turn.seat == 1]
    assert sum(map(len, seen.times.values())) == len(own)
    assert set(seen.times) == {turn.ply for turn in own}
    assert seen.slowest[0].turn.timing.charged_us == max(turn.timing.charged_us for turn in own)
    assert seen.turn_ms == parse_time_control(record.time_control).turn_ms


def test_only_the_last_matches_are_looked_at(store: Store, ama: User) -> None:
    record = record_of("oware", "games-2", 4)
    for _ in range(LOOKED_AT + 1):
        add_match(store, record)
    assert look(store, ama, record.bots[0].name).matches == LOOKED_AT


def test_it_is_for_the_owner_alone(store: Store, ama: User) -> None:
    add_match(store, forfeited_record())
    judge, _ = accounts.create_admin(store, "judge", PASSWORD, cost=CHEAP)
    for user in (ama, judge):
        with pytest.raises(Forbidden, match="owner alone"):
            diagnosis.diagnose(store, user, FIRST.name)
