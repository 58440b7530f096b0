"""Tournaments that are played: by the real dispatch, referee and ingest, with dice instead of programs."""

import hashlib

import pytest
from sqlalchemy import select

from arena.errors import ArenaFault, Conflict
from arena.services import bots, dispatch, matches, ratings, results, tournaments
from arena.store.accounts import User
from arena.store.schema import matches as match_rows
from arena.store.schema import rating_changes
from arena.store.session import Store
from tests.support import field
from tests.support.cup import NAMES, play_some, queued_ids, started
from tests.support.field import Moment, Post
from tests.support.people import active_bots, register, submit


@pytest.fixture
def owners(any_store: Store) -> dict[str, User]:
    return active_bots(any_store, NAMES)


@pytest.fixture
def maker(any_store: Store) -> User:
    return register(any_store, "maker")


def void_at(store: Store, tournament_id: int, index: int) -> None:
    """Let a match fail three times through our own fault."""
    moment = Moment()
    for _ in range(3):
        dispatch.tick(store, Post(), moment)
        with store.read() as tx:
            place = select(match_rows.c.id).where(
                match_rows.c.tournament_id == tournament_id, match_rows.c.schedule_index == index
            )
            match_id = tx.scalar(place)
        assert match_id is not None
        (assignment,) = dispatch.claim_each(store, "w1", [match_id], moment)
        moment.pass_seconds(store.settings.lease_seconds + 1)
        dispatch.tick(store, Post(), moment)
        assert field.state_of(store, assignment.match_id).state in ("due", "queued", "void")


@pytest.mark.usefixtures("owners")
def test_a_submitted_bot_qualifies_by_a_match_against_the_house(any_store: Store, maker: User) -> None:
    submit(any_store, maker, "newcomer")
    field.play_out(any_store, Moment())
    version = bots.version(any_store, "newcomer", 1)
    assert (version.state, version.fault_kind) == ("active", None)
    assert bots.log(any_store, maker, "newcomer", 1).startswith("newcomer")
    page = matches.list_matches(any_store, bot="newcomer")
    assert [(match.purpose, match.second.name, match.state) for match in page.items] == [
        ("qualification", "random", "finished")
    ]


@pytest.mark.usefixtures("owners")
def test_a_tournament_is_played_to_its_end(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    field.play_out(any_store, Moment())
    done = tournaments.show(any_store, cup.id)
    assert (done.state, done.match_count, done.finished, done.void) == ("finished", 6, 6, 0)
    assert done.seed is not None
    assert hashlib.sha256(done.seed.encode()).hexdigest() == cup.seed_hash
    lines = tournaments.standings(any_store, cup.id)
    assert sorted(line.bot for line in lines) == list(NAMES)
    assert [line.rank for line in lines] == sorted(line.rank for line in lines)
    assert all((line.matches, line.wins + line.draws + line.losses) == (3, 3) for line in lines)
    assert sum(line.score for line in lines) == 2 * 6
    assert sum(line.points for line in lines) == 2 * 12
    with pytest.raises(Conflict, match="finished"):
        tournaments.cancel(any_store, maker, cup.id)


@pytest.mark.usefixtures("owners")
def test_standings_and_crosstable_add_up_to_the_matches(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker, cycles=2)
    play_some(any_store, 9)
    played = [match for match in matches.list_matches(any_store, cup.id).items if match.score is not None]
    assert len(played) == 9
    table = tournaments.crosstable(any_store, cup.id)
    lines = tournaments.standings(any_store, cup.id)
    assert table.bots == tuple(line.bot for line in lines)
    for row, line in enumerate(lines):
        own = [cell for cell in table.cells[row] if cell is not None]
        assert table.cells[row][row] is None
        assert sum(cell.score for cell in own) == line.score
        assert sum(cell.points for cell in own) == line.points
        scores = [
            score for match in played if match.score
            for bot, score in zip((match.first.name, match.second.name), match.score, strict=True) if bot == line.bot
        ]
        assert (sum(scores), len(scores)) == (line.score, line.matches)


@pytest.mark.usefixtures("owners")
def test_a_paused_tournament_begins_no_match_and_goes_on(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    play_some(any_store, 2)
    tournaments.pause(any_store, maker, cup.id)
    field.play_out(any_store, Moment())
    assert tournaments.show(any_store, cup.id).finished == 2
    tournaments.start(any_store, maker, cup.id)
    field.play_out(any_store, Moment())
    assert tournaments.show(any_store, cup.id).state == "finished"


@pytest.mark.usefixtures("owners")
def test_cancelling_voids_what_was_not_played_and_rates_the_rest_in_order(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    dispatch.register_worker(any_store, "w1", 3, "A", Moment())
    dispatch.tick(any_store, Post(), Moment())
    first, second, third = list(dispatch.claim_each(any_store, "w1", queued_ids(any_store)[:3], Moment()))
    results.ingest(any_store, second, field.play(second.setup), 100, Moment())
    results.ingest(any_store, first, field.play(first.setup), 100, Moment())
    cancelled = tournaments.cancel(any_store, maker, cup.id)
    assert (cancelled.state, cancelled.finished, cancelled.void) == ("cancelled", 2, 4)
    assert results.ingest(any_store, third, field.play(third.setup), 100, Moment()).status == "refused"
    assert tournaments.show(any_store, cup.id) == cancelled
    with any_store.read() as tx:
        rated = tx.scalars(select(rating_changes.c.match_id).order_by(rating_changes.c.id)).all()
    assert rated == [first.match_id] * 2 + [second.match_id] * 2
    assert matches.match(any_store, third.match_id).void_reason == "The tournament was cancelled."
    with pytest.raises(Conflict, match="is void and has no record: The tournament was cancelled"):
        matches.record(any_store, third.match_id)


@pytest.mark.usefixtures("owners")
def test_cancelling_rates_what_waited_behind_a_match_that_was_being_played(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    dispatch.register_worker(any_store, "w1", 3, "A", Moment())
    dispatch.tick(any_store, Post(), Moment())
    _, second = list(dispatch.claim_each(any_store, "w1", queued_ids(any_store)[:2], Moment()))
    results.ingest(any_store, second, field.play(second.setup), 100, Moment())
    with any_store.read() as tx:
        assert tx.scalars(select(rating_changes.c.match_id)).all() == []
    tournaments.cancel(any_store, maker, cup.id)
    with any_store.read() as tx:
        assert set(tx.scalars(select(rating_changes.c.match_id))) == {second.match_id}


@pytest.mark.usefixtures("owners")
def test_a_bot_that_leaves_plays_no_more_and_the_others_finish(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker, cycles=2)
    play_some(any_store, 1)
    before = field.ledgers(any_store).changes
    left = tournaments.withdraw(any_store, maker, cup.id, "cora")
    assert tournaments.withdraw(any_store, maker, cup.id, "cora") == left
    field.play_out(any_store, Moment())
    done = tournaments.show(any_store, cup.id)
    assert (done.state, done.finished + done.void) == ("finished", 12)
    assert done.finished in (6, 7)
    assert field.ledgers(any_store).changes[: len(before)] == before
    last = tournaments.standings(any_store, cup.id)[-1]
    assert (last.bot, last.is_withdrawn, last.matches) == ("cora", True, 0)
    assert tournaments.rerun_void(any_store, maker, cup.id) == done


@pytest.mark.usefixtures("owners")
def test_void_matches_are_played_again_and_rated_then(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    void_at(any_store, cup.id, 0)
    field.play_out(any_store, Moment())
    done = tournaments.show(any_store, cup.id)
    assert (done.state, done.finished, done.void) == ("finished", 5, 1)
    again = tournaments.rerun_void(any_store, maker, cup.id)
    assert (again.state, again.finished, again.void, again.ended_at) == ("running", 5, 0, None)
    assert tournaments.rerun_void(any_store, maker, cup.id) == again
    field.play_out(any_store, Moment())
    done = tournaments.show(any_store, cup.id)
    assert (done.state, done.finished, done.void) == ("finished", 6, 0)
    with any_store.read() as tx:
        rated = tx.scalars(select(rating_changes.c.match_id)).all()
    assert len(rated) == 12
    assert len(set(rated)) == 6
    assert ratings.rebuild(any_store, dry_run=True).is_exact


@pytest.mark.usefixtures("owners")
def test_a_retired_bot_finishes_what_has_begun(any_store: Store, maker: User, owners: dict[str, User]) -> None:
    cup = started(any_store, maker)
    bots.retire(any_store, owners["abel"], "abel")
    field.play_out(any_store, Moment())
    assert tournaments.show(any_store, cup.id).finished == 6
    assert {line.bot for line in tournaments.standings(any_store, cup.id)} == set(NAMES)


@pytest.mark.parametrize("ending", ["fault", "expired", "returned"])
@pytest.mark.usefixtures("owners")
def test_a_failed_match_of_a_bot_that_left_is_void(any_store: Store, maker: User, ending: str) -> None:
    cup, moment = started(any_store, maker), Moment()
    dispatch.tick(any_store, Post(), moment)
    held = next(dispatch.claim_each(any_store, "w1", queued_ids(any_store), moment))
    tournaments.withdraw(any_store, maker, cup.id, held.setup.bots[0].name, now=moment)
    assert field.state_of(any_store, held.match_id).state == "leased"
    if ending == "fault":
        results.report_fault(any_store, held, ArenaFault("ours"), moment)
    elif ending == "expired":
        moment.pass_seconds(any_store.settings.lease_seconds + 1)
        dispatch.tick(any_store, Post(), moment)
    else:
        dispatch.hand_back(any_store, held, moment)
    row = field.state_of(any_store, held.match_id)
    assert (row.state, row.void_reason, row.failures) == ("void", "A bot was withdrawn.", int(ending != "returned"))
    field.play_out(any_store, moment)
    done = tournaments.show(any_store, cup.id)
    assert (done.state, done.finished, done.void) == ("finished", 3, 3)


@pytest.mark.usefixtures("owners")
def test_a_match_being_played_when_its_bot_leaves_counts(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker, bots=["abel", "beth"], cycles=2)
    dispatch.tick(any_store, Post(), Moment())
    held = next(dispatch.claim_each(any_store, "w1", queued_ids(any_store), Moment()))
    tournaments.withdraw(any_store, maker, cup.id, "abel")
    assert results.ingest(any_store, held, field.play(held.setup), 100, Moment()).status == "accepted"
    field.play_out(any_store, Moment())
    done = tournaments.show(any_store, cup.id)
    assert (done.state, done.finished, done.void) == ("finished", 1, 1)
    assert [line.matches for line in tournaments.standings(any_store, cup.id)] == [1, 1]    # half of two


@pytest.mark.usefixtures("owners")
def test_leaving_after_the_end_is_shown_and_changes_nothing_else(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    field.play_out(any_store, Moment())
    before, done = field.ledgers(any_store), tournaments.show(any_store, cup.id)
    table = tournaments.standings(any_store, cup.id)
    assert tournaments.withdraw(any_store, maker, cup.id, "cora") == done
    assert tournaments.withdraw(any_store, maker, cup.id, "cora") == done
    after = tournaments.standings(any_store, cup.id)
    assert [line.bot for line in after if line.is_withdrawn] == ["cora"]
    assert [(line.bot, line.score) for line in after] == [(line.bot, line.score) for line in table]
    assert field.ledgers(any_store) == before


@pytest.mark.usefixtures("owners")
def test_leaving_a_cancelled_tournament_too_early_counts_for_nobody(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    play_some(any_store, 2)
    tournaments.cancel(any_store, maker, cup.id)
    for line in tournaments.standings(any_store, cup.id):
        if line.matches:
            tournaments.withdraw(any_store, maker, cup.id, line.bot)
    assert [line.matches for line in tournaments.standings(any_store, cup.id)] == [0, 0, 0, 0]
