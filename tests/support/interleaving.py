"""Anything that may happen to an arena, in any order: a state machine over the services for hypothesis to drive.

Databases and Redis are real; messages and workers are played, so that every order of their steps can come.  What a
step must answer is in checked_run.py, what must hold after each of them in invariants.py.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from hashlib import sha256
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from arena.errors import RequestError
from arena.services import bots, dispatch, moderation, ratings, tournaments
from arena.services.turns import gives_way
from arena.store import accounts
from arena.store import ratings as ledger
from arena.store.accounts import User
from arena.store.session import Store
from tests.support import invariants, people, reports
from tests.support.checked_run import LONG_MS, Run

OWNERS = {"abel": "ann", "beth": "ann", "cora": "cleo", "dora": "dan", "eve": "eva"}
BROKEN = "eve"                  # forfeits every match that it plays
MAKERS = ("ann", "cleo")
ADMIN = "judge"
SHORT_MS = 150                  # a match of which many travel in one message
MOST_TOURNAMENTS = 5

Arena = tuple[Store, Callable[[], Any]]
"""A store, and what empties the Redis behind it."""

some = st.integers(0, 30)
newest = st.integers(-6, -1)
kinds = st.sampled_from(reports.KINDS)
some_kinds = st.lists(kinds, min_size=1, max_size=4)
entered = st.lists(st.sampled_from(sorted(OWNERS)), min_size=2, max_size=5, unique=True)
rarely = st.sampled_from((False, False, False, True))
workers = st.sampled_from(("w1", "w2"))


def populate(store: Store) -> None:
    """The bots of `OWNERS`, active, with their owners and an admin."""
    owners = {name: people.register(store, name) for name in sorted(set(OWNERS.values()))}
    people.admin(store, ADMIN)
    for bot, owner in OWNERS.items():
        people.submit(store, owners[owner], bot)
    people.qualify(store)


class Interleavings(RuleBasedStateMachine):
    """One arena and all that was ever sent, claimed and reported in it."""

    def __init__(self, opened: Callable[[], AbstractContextManager[Arena]]) -> None:
        super().__init__()
        self._open = ExitStack()
        self.store, self._wipe = self._open.enter_context(opened())
        self._wipe()
        self.run, self.seen = Run(self.store, BROKEN), invariants.Seen()
        self.users = {name: self._user(name) for name in (*sorted(set(OWNERS.values())), ADMIN)}
        self.tournaments: list[tuple[int, str]] = []        # with who made it
        self.is_wiped = False

    def teardown(self) -> None:
        self._open.close()

    # who plays where

    @initialize(names=entered, cycles=st.sampled_from((1, 1, 2, 3)), slots=st.integers(1, 4))
    def begin(self, names: list[str], cycles: int, slots: int) -> None:
        """Two makers have a tournament each under way, and somebody plays."""
        self.worker_comes("w1", slots)
        self.create(names, cycles, MAKERS[0], True)
        self.create(names[::-1], 1, MAKERS[1], True)

    @precondition(lambda self: len(self.tournaments) < MOST_TOURNAMENTS)
    @rule(names=entered, cycles=st.sampled_from((1, 2)), maker=st.sampled_from(MAKERS), has_begun=st.booleans())
    def create(self, names: list[str], cycles: int, maker: str, has_begun: bool) -> None:
        name = f"cup-{len(self.tournaments)}"
        with suppress(RequestError):                # a bot may be retired
            made = tournaments.create(
                self.store, self.users[maker], name=name, ruleset=reports.RULESET, bots=names,
                match_format=reports.FORMAT, time_control=reports.TIME_CONTROL, cycles=cycles, opening_plies=0,
                draw_seed=lambda size: sha256(name.encode()).hexdigest(),
            )
            self.tournaments.append((made.id, maker))
            if has_begun:
                tournaments.start(self.store, self.users[maker], made.id, now=self.run.moment)

    @precondition(lambda self: self.tournaments)
    @rule(which=some)
    def start(self, which: int) -> None:
        number, maker = _one(self.tournaments, which)
        with suppress(RequestError):
            state = tournaments.start(self.store, self.users[maker], number, now=self.run.moment).state
            assert state == "running"

    @precondition(lambda self: self.tournaments)
    @rule(which=some)
    def pause(self, which: int) -> None:
        number, maker = _one(self.tournaments, which)
        with suppress(RequestError):
            assert tournaments.pause(self.store, self.users[maker], number).state == "paused"

    @precondition(lambda self: self.tournaments)
    @rule(which=some)
    def cancel(self, which: int) -> None:
        number, maker = _one(self.tournaments, which)
        with suppress(RequestError):
            assert tournaments.cancel(self.store, self.users[maker], number, now=self.run.moment).state == "cancelled"

    @precondition(lambda self: self.tournaments)
    @rule(which=some, bot=st.sampled_from(sorted(OWNERS)))
    def withdraw(self, which: int, bot: str) -> None:
        number, maker = _one(self.tournaments, which)
        with suppress(RequestError):
            tournaments.withdraw(self.store, self.users[maker], number, bot, now=self.run.moment)

    @precondition(lambda self: self.tournaments)
    @rule(which=some)
    def rerun_void(self, which: int) -> None:
        number, maker = _one(self.tournaments, which)
        with suppress(RequestError):
            tournaments.rerun_void(self.store, self.users[maker], number)

    # bots come and go

    @rule(bot=st.sampled_from(sorted(OWNERS)), number=st.integers(0, 9))
    def submit_version(self, bot: str, number: int) -> None:
        with suppress(RequestError):
            source = people.SOURCE + f"# {number}\n".encode()
            bots.submit_version(self.store, self.users[OWNERS[bot]], bot, "bot.py", source)

    @rule(bot=st.sampled_from(sorted(OWNERS)), is_open=st.booleans())
    def open_or_close(self, bot: str, is_open: bool) -> None:
        bots.set_open(self.store, self.users[OWNERS[bot]], bot, is_open)

    @rule(is_so=rarely)
    def retire(self, is_so: bool) -> None:
        if is_so:
            bots.retire(self.store, self.users[OWNERS["dora"]], "dora", self.run.moment)

    @rule(is_so=rarely)
    def ban(self, is_so: bool) -> None:
        if is_so:
            moderation.ban_bot(self.store, "beth", now=self.run.moment)

    # time, workers and messages

    @rule(seconds=st.sampled_from((0.0, 2.0, 4.0, 16.0, 61.0, 601.0)))
    def tick(self, seconds: float) -> None:
        self.run.moment.pass_seconds(seconds)
        self.run.tick()
        self.is_wiped = False

    @rule(worker=workers, slots=st.integers(1, 3))
    def worker_comes(self, worker: str, slots: int) -> None:
        dispatch.register_worker(self.store, worker, slots, "A", self.run.moment)

    @rule(worker=workers)
    def worker_goes(self, worker: str) -> None:
        dispatch.sign_off_worker(self.store, worker, self.run.moment)

    @precondition(lambda self: self.run.post.batches)
    @rule(which=some, worker=workers, most=st.integers(1, 4))
    def deliver(self, which: int, worker: str, most: int) -> None:
        """A message, perhaps not for the first time, to a worker that may stop in the middle of it."""
        self.run.claim(_one(self.run.post.batches, -1 - which)[:most], worker)

    @rule(match_ids=st.lists(st.integers(1, 40), max_size=5))
    def deliver_what_nobody_sent(self, match_ids: list[int]) -> None:
        self.run.claim(match_ids, "w3")

    @precondition(lambda self: self.run.post.batches)
    @rule(which=some)
    def give_up_places(self, which: int) -> None:
        dispatch.give_up_places(self.store, _one(self.run.post.batches, -1 - which))

    @rule()
    def lose_redis(self) -> None:
        self._wipe()
        self.is_wiped = True

    @rule()
    def rebuild(self) -> None:
        ratings.rebuild(self.store, dry_run=False)
        self.is_wiped = False

    # attempts: mostly of the newest, some of which have ended already, in whatever way

    @precondition(lambda self: self.run.held)
    @rule(which=newest, kind=kinds, duration_ms=st.sampled_from((LONG_MS, LONG_MS, SHORT_MS)))
    def report(self, which: int, kind: str, duration_ms: int) -> None:
        self.run.report(_one(self.run.held, which), kind, duration_ms)

    @precondition(lambda self: self.run.held)
    @rule(which=some, kind=kinds)
    def report_late(self, which: int, kind: str) -> None:
        self.run.report(_one(self.run.held, which), kind, LONG_MS)

    @precondition(lambda self: self.run.reported)
    @rule(which=some)
    def report_again(self, which: int) -> None:
        assignment, played = _one(self.run.reported, which)
        self.run.hand_in(assignment, played, LONG_MS)

    @precondition(lambda self: self.run.held)
    @rule(which=newest, kind=kinds)
    def report_what_is_not_true(self, which: int, kind: str) -> None:
        self.run.hand_in_what_is_not_true(_one(self.run.held, which), kind)

    @precondition(lambda self: self.run.held)
    @rule(which=newest)
    def fail(self, which: int) -> None:
        self.run.fail(_one(self.run.held, which))

    @precondition(lambda self: self.run.held)
    @rule(which=newest)
    def renew(self, which: int) -> None:
        self.run.renew(_one(self.run.held, which))

    @precondition(lambda self: self.run.held)
    @rule(which=newest)
    def hand_back(self, which: int) -> None:
        self.run.hand_back(_one(self.run.held, which))

    # the ordinary course of things

    @rule(drawn=some_kinds)
    def play_on(self, drawn: Sequence[str]) -> None:
        """Whatever is queued next, delivered and played."""
        sent = len(self.run.post.batches)
        self.tick(0.0)
        for batch in self.run.post.batches[sent:]:
            for number, match_id in enumerate(batch):
                if gives_way(self.store, match_id, self.run.moment):
                    dispatch.give_up_places(self.store, batch)
                    break
                for assignment in self.run.claim([match_id], "w1"):
                    self.run.report(assignment, drawn[number % len(drawn)], LONG_MS)

    @rule()
    def try_in_vain(self) -> None:
        """A match fails as often as it may."""
        self.tick(601.0)
        queued = [match_id for batch in self.run.post.batches for match_id in batch][-1:]
        for _ in range(3):
            for assignment in self.run.claim(queued, "w2"):
                self.run.fail(assignment)
            self.tick(0.0)

    @rule(which=some, drawn=some_kinds)
    def play_what_was_void(self, which: int, drawn: Sequence[str]) -> None:
        self.rerun_void(which)
        self.play_on(drawn)

    @rule(drawn=some_kinds)
    def play_to_the_end(self, drawn: Sequence[str]) -> None:
        """Whatever was done before, what is running ends."""
        for _ in range(100):
            self.play_on(drawn)
            self.run.moment.pass_seconds(21)
            if not any(tournaments.show(self.store, number).state == "running" for number, _ in self.tournaments):
                return
        raise AssertionError("a tournament does not end")

    @invariant()
    def all_is_as_it_should_be(self) -> None:
        invariants.check(self.store, self.seen)
        if not self.is_wiped:
            with self.store.read() as tx:
                rated = list(ledger.sequences(tx))
            invariants.check_boards(self.store, rated)

    def _user(self, name: str) -> User:
        with self.store.read() as tx:
            user = accounts.find_user(tx, name)
        assert user is not None
        return user


def _one(items: Sequence[Any], which: int) -> Any:
    return items[which % len(items)]
