"""Bans: off every board at once, out of everything under way, and nothing of what was played is lost."""

import pytest
from sqlalchemy import select

from arena.errors import Forbidden, Invalid, NotFound, Unauthenticated
from arena.services import accounts, bots, leaderboards, matches, moderation, ratings, tournaments
from arena.store.accounts import User
from arena.store.schema import ratings as standing
from arena.store.session import Store
from tests.support import field
from tests.support.cup import NAMES, play_some, started
from tests.support.field import Moment
from tests.support.people import CHEAP, PASSWORD, SOURCE, active_bots, qualify, register, submit

RULESETS = ("oware", "oware:grand_slam=win25", "oware:quiet_limit=50")


@pytest.fixture
def owners(any_store: Store) -> dict[str, User]:
    return active_bots(any_store, NAMES)


@pytest.fixture
def maker(any_store: Store) -> User:
    return register(any_store, "maker")


def rate_everywhere(store: Store, maker: User) -> None:
    """Every bot on three boards."""
    for number, ruleset in enumerate(RULESETS):
        started(store, maker, name=f"cup-{number}", ruleset=ruleset)
    field.play_out(store, Moment())


def listed(store: Store) -> dict[str, tuple[str, ...]]:
    return {
        ruleset: tuple(sorted(entry.bot for entry in leaderboards.page(store, ruleset).entries)) for ruleset in RULESETS
    }


@pytest.mark.usefixtures("owners")
def test_a_banned_bot_is_on_no_board_and_its_history_stays(any_store: Store, maker: User) -> None:
    rate_everywhere(any_store, maker)
    before = field.ledgers(any_store)
    banned = moderation.ban_bot(any_store, "cora")
    assert banned.banned_at is not None
    assert banned.retired_at is not None
    assert listed(any_store) == dict.fromkeys(RULESETS, ("abel", "beth", "dora"))
    assert field.ledgers(any_store) == before
    assert len(matches.list_matches(any_store, bot="cora").items) == 9
    assert {line.bot for line in tournaments.standings(any_store, 1)} == set(NAMES)
    assert ratings.rebuild(any_store, dry_run=True).is_exact
    with any_store.read() as tx:
        assert len(tx.execute(select(standing)).all()) == 12


@pytest.mark.usefixtures("owners")
def test_banning_twice_is_banning_once(any_store: Store, maker: User) -> None:
    rate_everywhere(any_store, maker)
    first = moderation.ban_bot(any_store, "cora")
    with any_store.read() as tx:
        boards = ratings.ratings.sequences(tx)
    assert moderation.ban_bot(any_store, "cora") == first
    moderation.ban_user(any_store, "owner-of-cora")
    assert bots.show(any_store, "cora") == first
    with any_store.read() as tx:
        assert ratings.ratings.sequences(tx) == boards


def test_a_retired_bot_can_still_be_banned(any_store: Store, owners: dict[str, User], maker: User) -> None:
    rate_everywhere(any_store, maker)
    retired = bots.retire(any_store, owners["cora"], "cora")
    banned = moderation.ban_bot(any_store, "cora")
    assert (banned.retired_at, banned.banned_at is None) == (retired.retired_at, False)


def test_a_banned_bot_leaves_what_is_under_way_and_takes_no_version(
    any_store: Store, owners: dict[str, User], maker: User
) -> None:
    cup = started(any_store, maker)
    play_some(any_store, 1)
    moderation.ban_bot(any_store, "cora")
    field.play_out(any_store, Moment())
    done = tournaments.show(any_store, cup.id)
    assert (done.state, done.finished + done.void) == ("finished", 6)
    assert [line.bot for line in tournaments.standings(any_store, cup.id) if line.is_withdrawn] == ["cora"]
    with pytest.raises(Forbidden, match="cora was banned"):
        bots.submit_version(any_store, owners["cora"], "cora", "bot.py", SOURCE)
    with pytest.raises(Invalid, match="cora is retired"):
        tournaments.create(any_store, maker, name="next", ruleset="oware", bots=["abel", "cora"])


def test_a_banned_user_loses_all_bots_and_every_token(
    any_store: Store, owners: dict[str, User], maker: User
) -> None:
    submit(any_store, owners["cora"], "cora-two")
    qualify(any_store)
    for number, ruleset in enumerate(RULESETS):
        started(any_store, maker, name=f"cup-{number}", ruleset=ruleset, bots=[*NAMES, "cora-two"])
    field.play_out(any_store, Moment())
    token = accounts.create_token(any_store, "owner-of-cora", PASSWORD, cost=CHEAP)
    moderation.ban_user(any_store, "owner-of-cora")
    assert listed(any_store) == dict.fromkeys(RULESETS, ("abel", "beth", "dora"))
    assert all(bots.show(any_store, name).banned_at for name in ("cora", "cora-two"))
    with pytest.raises(Unauthenticated):
        accounts.authenticate(any_store, token)
    with pytest.raises(Forbidden, match="owner-of-cora is banned"):
        accounts.create_token(any_store, "owner-of-cora", PASSWORD, cost=CHEAP)
    with pytest.raises(Unauthenticated):
        accounts.create_token(any_store, "owner-of-cora", "wrong password", cost=CHEAP)


def test_a_name_is_a_bot_or_a_user_or_has_to_be_told_which(store: Store) -> None:
    active_bots(store, ["abel", "cora"])
    register(store, "abel")
    with pytest.raises(Invalid, match="abel is a bot and a user"):
        moderation.ban(store, "abel")
    assert moderation.ban(store, "abel", "user") == "user"
    assert bots.show(store, "abel").banned_at is None
    assert moderation.ban(store, "cora") == "bot"
    assert moderation.ban(store, "owner-of-cora") == "user"
    with pytest.raises(NotFound, match="no bot or user 'nobody'"):
        moderation.ban(store, "nobody")
    with pytest.raises(NotFound, match="no bot 'maker'"):
        moderation.ban(store, "maker", "bot")


def test_the_arena_itself_is_not_banned(store: Store) -> None:
    owner = accounts.system_owner(store)
    submit(store, owner, "random")
    for name in ("random", "arena"):
        with pytest.raises(Forbidden, match="cannot be banned"):
            moderation.ban(store, name)


def test_banned_bots_are_gone_from_redis(store_with_boards: Store) -> None:
    active_bots(store_with_boards, NAMES)
    rate_everywhere(store_with_boards, register(store_with_boards, "maker"))
    assert leaderboards.page(store_with_boards, "oware").source == "redis"
    moderation.ban_user(store_with_boards, "owner-of-cora")
    assert listed(store_with_boards) == dict.fromkeys(RULESETS, ("abel", "beth", "dora"))
    assert leaderboards.page(store_with_boards, "oware").source == "redis"
