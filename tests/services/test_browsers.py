"""Browsers that are logged in: a token each, which ends with the log-out, a new password, or too many others."""

import pytest

from arena.errors import Forbidden, Invalid, Unauthenticated
from arena.services import accounts, moderation
from arena.services.accounts import BROWSER, MAX_BROWSERS, MAX_TOKENS
from arena.store.session import Store
from tests.support.people import CHEAP, PASSWORD, register

NEW = "another horse"


def log_in(store: Store, password: str = PASSWORD) -> str:
    return accounts.log_in(store, "ann", password, cost=CHEAP)


def is_in(store: Store, token: str) -> bool:
    try:
        return accounts.authenticate(store, token).name == "ann"
    except Unauthenticated:
        return False


def test_logging_in_and_out(any_store: Store) -> None:
    register(any_store, "ann")
    token = log_in(any_store)
    assert is_in(any_store, token)
    accounts.log_out(any_store, token)
    assert not is_in(any_store, token)
    accounts.log_out(any_store, token)


def test_a_further_browser_logs_out_the_oldest_and_no_program(any_store: Store) -> None:
    _, program = accounts.register(any_store, "ann", PASSWORD, cost=CHEAP)
    browsers = [log_in(any_store) for _ in range(MAX_BROWSERS + 2)]
    assert [is_in(any_store, token) for token in browsers] == [False] * 2 + [True] * MAX_BROWSERS
    assert is_in(any_store, program)


def test_browsers_take_no_place_of_a_token(store: Store) -> None:
    user = register(store, "ann")
    for number in range(MAX_TOKENS - 1):
        accounts.add_token(store, user, f"token-{number}")
    assert is_in(store, log_in(store))


def test_a_new_password_logs_out_every_other_browser(any_store: Store) -> None:
    user, program = accounts.register(any_store, "ann", PASSWORD, cost=CHEAP)
    before = log_in(any_store)
    mine = accounts.change_password(any_store, user, PASSWORD, NEW, cost=CHEAP)
    assert [is_in(any_store, token) for token in (before, mine, program)] == [False, True, True]
    assert is_in(any_store, log_in(any_store, NEW))
    with pytest.raises(Unauthenticated):
        log_in(any_store)


@pytest.mark.parametrize(
    ("old", "new", "field"), [("wrong horse", NEW, "password"), (PASSWORD, "short", "new_password")]
)
def test_a_password_is_changed_by_who_knows_it_to_one_that_is_long_enough(
    store: Store, old: str, new: str, field: str
) -> None:
    user = register(store, "ann")
    with pytest.raises(Invalid) as caught:
        accounts.change_password(store, user, old, new, cost=CHEAP)
    assert caught.value.field == field
    assert is_in(store, log_in(store))


def test_no_program_has_a_token_that_looks_like_a_browser(store: Store) -> None:
    user = register(store, "ann")
    with pytest.raises(Invalid, match="log-ins on the pages"):
        accounts.add_token(store, user, BROWSER)
    with pytest.raises(Invalid, match="log-ins on the pages"):
        accounts.create_token(store, "ann", PASSWORD, BROWSER, cost=CHEAP)


def test_who_is_banned_is_logged_out_and_does_not_come_back(store: Store) -> None:
    register(store, "ann")
    token = log_in(store)
    moderation.ban_user(store, "ann")
    assert not is_in(store, token)
    with pytest.raises(Forbidden):
        log_in(store)
