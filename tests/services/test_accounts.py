"""Accounts: names, passwords, tokens, and two people who want one name at the same moment."""

import hashlib
import multiprocessing
import threading

import pytest
from sqlalchemy import select

from arena.errors import Invalid, NameTaken, NotFound, QuotaExceeded, Unauthenticated
from arena.services import accounts
from arena.services.accounts import DEFAULT_COST, MAX_TOKENS
from arena.settings import Settings
from arena.store.schema import tokens, users
from arena.store.session import Store
from tests.support.people import CHEAP, PASSWORD, register


def test_a_new_user_has_a_token_that_works(any_store: Store) -> None:
    user, token = accounts.register(any_store, "ann", PASSWORD, cost=CHEAP)
    assert accounts.authenticate(any_store, token) == user
    assert (user.name, user.is_admin) == ("ann", False)


def test_an_admin_is_one(any_store: Store) -> None:
    user, token = accounts.create_admin(any_store, "judge", PASSWORD, cost=CHEAP)
    assert accounts.authenticate(any_store, token).is_admin
    assert user.is_admin


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", "\u202e", "x" * 5000, ""])
def test_a_name_that_no_database_could_hold_is_just_wrong(any_store: Store, name: str) -> None:
    for enter in (accounts.log_in, accounts.create_token):
        with pytest.raises(Unauthenticated, match="Name or password is wrong"):
            enter(any_store, name, PASSWORD, cost=CHEAP)


def test_neither_password_nor_token_is_stored(store: Store) -> None:
    _, token = accounts.register(store, "ann", PASSWORD, cost=CHEAP)
    with store.read() as tx:
        password_hash = tx.execute(select(users.c.password_hash)).scalar_one()
        token_hash = tx.execute(select(tokens.c.token_hash)).scalar_one()
    assert password_hash.startswith("$argon2id$v=19$m=8,t=1,p=1$")
    assert PASSWORD not in password_hash
    assert token_hash == hashlib.sha256(token.encode()).hexdigest()
    assert len(token) >= 43


def test_the_default_cost_is_the_recommended_one(store: Store) -> None:
    accounts.register(store, "ann", PASSWORD)
    with store.read() as tx:
        assert "$m=19456,t=2,p=1$" in tx.execute(select(users.c.password_hash)).scalar_one()
    assert (DEFAULT_COST.memory_kib, DEFAULT_COST.passes, DEFAULT_COST.lanes) == (19456, 2, 1)


@pytest.mark.parametrize(
    "name", ["", "a", "A1", "1a", "-a", "_a", "a b", "añ", "a" * 41, "ann\n", "ann\0", "a.b", "a/b", "ANN"]
)
def test_a_name_that_is_none_is_refused(store: Store, name: str) -> None:
    with pytest.raises(Invalid, match="2 to 40 of a-z") as caught:
        accounts.register(store, name, PASSWORD, cost=CHEAP)
    assert caught.value.field == "name"


@pytest.mark.parametrize("name", ["ab", "a-", "a_1", "a" * 40])
def test_every_name_by_the_rule_is_accepted(store: Store, name: str) -> None:
    assert register(store, name).name == name


@pytest.mark.parametrize("name", ["arena", "all", "admin", "me"])
def test_a_reserved_name_is_taken(store: Store, name: str) -> None:
    with pytest.raises(NameTaken, match="reserved") as caught:
        accounts.register(store, name, PASSWORD, cost=CHEAP)
    assert caught.value.field == "name"


@pytest.mark.parametrize("password", ["", "seven77", "x" * 201, "\ud800 half a character"])
def test_a_bad_password_is_refused_and_not_repeated(store: Store, password: str) -> None:
    with pytest.raises(Invalid) as caught:
        accounts.register(store, "ann", password, cost=CHEAP)
    assert caught.value.field == "password"
    assert not password or password not in str(caught.value)


@pytest.mark.parametrize("password", ["8 signs.", "x" * 200, "pässwörd ½"])
def test_a_password_of_8_to_200_characters_is_accepted(store: Store, password: str) -> None:
    accounts.register(store, "ann", password, cost=CHEAP)
    accounts.create_token(store, "ann", password, cost=CHEAP)


def test_a_name_is_given_once(any_store: Store) -> None:
    register(any_store, "ann")
    with pytest.raises(NameTaken, match="'ann'") as caught:
        register(any_store, "ann")
    assert caught.value.field == "name"


def _register_or_say(store: Store, answers: list[str]) -> None:
    try:
        accounts.register(store, "ann", PASSWORD, cost=CHEAP)
        answers.append("registered")
    except NameTaken:
        answers.append("taken")


def test_of_threads_that_want_one_name_one_gets_it(any_store: Store) -> None:
    answers: list[str] = []
    threads = [threading.Thread(target=_register_or_say, args=(any_store, answers)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(answers) == ["registered"] + ["taken"] * 5
    with any_store.read() as tx:
        assert tx.execute(select(users.c.name)).scalars().all() == ["ann"]
        assert len(tx.execute(select(tokens.c.id)).all()) == 1


def _register_in_a_process(url: str, answers: "multiprocessing.Queue[str]") -> None:
    said: list[str] = []
    store = Store.open(Settings(database_url=url))
    _register_or_say(store, said)
    store.dispose()
    answers.put(said[0])


def test_of_processes_that_want_one_name_one_gets_it(any_store: Store) -> None:
    context = multiprocessing.get_context("spawn")
    answers: multiprocessing.Queue[str] = context.Queue()
    url = any_store.settings.sqlalchemy_url
    processes = [context.Process(target=_register_in_a_process, args=(url, answers)) for _ in range(2)]
    for process in processes:
        process.start()
    said = sorted(answers.get(timeout=60) for _ in processes)
    for process in processes:
        process.join(60)
    assert said == ["registered", "taken"]


def test_name_and_password_give_a_further_token(any_store: Store) -> None:
    user = register(any_store, "ann")
    token = accounts.create_token(any_store, "ann", PASSWORD, "laptop", cost=CHEAP)
    assert accounts.authenticate(any_store, token) == user
    assert [kept.name for kept in accounts.tokens(any_store, user)] == ["registration", "laptop"]


@pytest.mark.parametrize(("name", "password"), [("ann", "wrong horse"), ("bob", PASSWORD), ("ann", "\ud800")])
def test_a_wrong_login_does_not_say_what_was_wrong(store: Store, name: str, password: str) -> None:
    register(store, "ann")
    with pytest.raises(Unauthenticated, match="Name or password is wrong"):
        accounts.create_token(store, name, password, cost=CHEAP)


def test_nobody_logs_in_as_the_system_owner(any_store: Store) -> None:
    owner = accounts.system_owner(any_store)
    assert accounts.system_owner(any_store) == owner
    assert owner.name == "arena"
    for password in ("", PASSWORD):
        with pytest.raises(Unauthenticated):
            accounts.create_token(any_store, "arena", password, cost=CHEAP)


@pytest.mark.parametrize("label", ["", "x" * 81, "two\nlines"])
def test_a_token_needs_a_printable_name(store: Store, label: str) -> None:
    register(store, "ann")
    with pytest.raises(Invalid, match="1 to 80 printable") as caught:
        accounts.create_token(store, "ann", PASSWORD, label, cost=CHEAP)
    assert caught.value.field == "name"


def test_a_user_has_a_limited_number_of_tokens(store: Store) -> None:
    register(store, "ann")
    for _ in range(MAX_TOKENS - 1):
        accounts.create_token(store, "ann", PASSWORD, cost=CHEAP)
    with pytest.raises(QuotaExceeded, match="50 tokens already; revoke one"):
        accounts.create_token(store, "ann", PASSWORD, cost=CHEAP)


def test_a_revoked_token_stops_working_and_others_go_on(any_store: Store) -> None:
    user, first = accounts.register(any_store, "ann", PASSWORD, cost=CHEAP)
    second = accounts.create_token(any_store, "ann", PASSWORD, cost=CHEAP)
    accounts.revoke_token(any_store, user, accounts.tokens(any_store, user)[0].id)
    with pytest.raises(Unauthenticated, match="not valid"):
        accounts.authenticate(any_store, first)
    assert accounts.authenticate(any_store, second) == user


def test_nobody_revokes_the_token_of_another(store: Store) -> None:
    ann, token = accounts.register(store, "ann", PASSWORD, cost=CHEAP)
    with pytest.raises(NotFound, match="no token"):
        accounts.revoke_token(store, register(store, "bob"), accounts.tokens(store, ann)[0].id)
    assert accounts.authenticate(store, token) == ann


@pytest.mark.parametrize("token", ["", "wrong", "x" * 10_000, "tökén", "\ud800"])
def test_what_is_no_token_is_refused(store: Store, token: str) -> None:
    with pytest.raises(Unauthenticated, match="get a new one"):
        accounts.authenticate(store, token)
