"""Exports of tournaments that were played by the services: each of them holds when it is verified."""

import hashlib

import pytest
from sqlalchemy import func, select, update

from arena.archive.entries import Standings
from arena.errors import ArchiveRefused, Conflict, NotFound, UnknownGame
from arena.services import archives, bots, dispatch, results, tournaments
from arena.store.accounts import User
from arena.store.schema import rating_changes
from arena.store.schema import results as result_rows
from arena.store.session import Store
from tests.support import field
from tests.support.archive import lines_of, of_kind, of_ruleset, of_tournament, play_out, proof_of, submit_again
from tests.support.cup import NAMES, queued_ids, started
from tests.support.field import Moment, Post
from tests.support.people import active_bots, register, submit


@pytest.fixture
def owners(any_store: Store) -> dict[str, User]:
    return active_bots(any_store, NAMES)


@pytest.fixture
def maker(any_store: Store) -> User:
    return register(any_store, "maker")


@pytest.mark.usefixtures("owners")
def test_a_played_tournament_is_exported_and_proven(any_store: Store, maker: User) -> None:
    begun = started(any_store, maker)
    play_out(any_store)
    content = of_tournament(any_store, "cup")
    proof = proof_of(content)
    assert (proof.matches, proof.games, proof.rated_matches) == (6, 12, 6)
    (tournament,) = of_kind(lines_of(content), "tournament")
    assert tournament["seed_hash"] == begun.seed_hash
    assert hashlib.sha256(tournament["seed"].encode()).hexdigest() == begun.seed_hash
    shown = tournaments.standings(any_store, begun.id)
    (table,) = of_kind(lines_of(content), Standings.kind)
    assert [(line["rank"], line["bot"], line["score"]) for line in table["lines"]] == [
        (line.rank, line.bot, line.score) for line in shown
    ]


@pytest.mark.usefixtures("owners")
def test_the_same_tournament_gives_the_same_file_by_name_and_by_number(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    play_out(any_store)
    content = of_tournament(any_store, "cup")
    started(any_store, maker, name="league")
    play_out(any_store)
    assert of_tournament(any_store, str(cup.id)) == content


def test_the_seed_is_committed_to_at_the_start_and_shown_at_the_end(any_store: Store, maker: User) -> None:
    active_bots(any_store, NAMES)
    made = tournaments.create(any_store, maker, name="cup", ruleset="oware", bots=list(NAMES), match_format="games-2")
    begun = tournaments.start(any_store, maker, made.id)
    assert (begun.seed, begun.seed_hash) == (None, made.seed_hash)
    play_out(any_store)
    done = tournaments.show(any_store, made.id)
    assert done.seed is not None
    assert done.seed_hash == made.seed_hash == hashlib.sha256(done.seed.encode()).hexdigest()


@pytest.mark.usefixtures("owners")
def test_a_running_tournament_keeps_its_seed(any_store: Store, maker: User) -> None:
    started(any_store, maker)
    with pytest.raises(Conflict, match="no match of it has begun"):
        of_tournament(any_store, "cup")
    play_out(any_store, 2)
    dispatch.tick(any_store, Post(), Moment())
    content = of_tournament(any_store, "cup")
    assert b"5eed5eed" * 8 not in content
    proof = proof_of(content)
    assert (proof.matches, proof.rated_matches) == (2, 2)
    assert proof.unproven[0].startswith("cup is running")


@pytest.mark.usefixtures("owners")
def test_results_behind_a_match_that_is_still_played_are_not_rated_yet(any_store: Store, maker: User) -> None:
    started(any_store, maker)
    dispatch.register_worker(any_store, "w1", 3, "A", Moment())
    dispatch.tick(any_store, Post(), Moment())
    _, second, third = list(dispatch.claim_each(any_store, "w1", queued_ids(any_store)[:3], Moment()))
    for assignment in (third, second):
        results.ingest(any_store, assignment, field.play(assignment.setup), 100, Moment())
    proof = proof_of(of_tournament(any_store, "cup"))
    assert (proof.matches, proof.rated_matches) == (2, 0)


@pytest.mark.usefixtures("owners")
def test_a_cancelled_tournament_is_proven_as_far_as_it_came(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker, cycles=2)
    play_out(any_store, 3)
    dispatch.tick(any_store, Post(), Moment())
    tournaments.cancel(any_store, maker, cup.id)
    proof = proof_of(of_tournament(any_store, "cup"))
    assert proof.matches - proof.void == proof.rated_matches == 3
    assert proof.void > 0
    assert proof.tournaments[0].is_seed_shown


@pytest.mark.usefixtures("owners")
def test_a_match_that_was_void_first_may_be_rated_late(any_store: Store, maker: User) -> None:
    cup, moment = started(any_store, maker), Moment()
    for _ in range(3):
        dispatch.tick(any_store, Post(), moment)
        list(dispatch.claim_each(any_store, "w1", queued_ids(any_store)[:1], moment))
        moment.pass_seconds(any_store.settings.lease_seconds + 1)
        dispatch.tick(any_store, Post(), moment)
    play_out(any_store)
    assert proof_of(of_tournament(any_store, "cup")).void == 1
    tournaments.rerun_void(any_store, maker, cup.id)
    play_out(any_store)
    content = of_tournament(any_store, "cup")
    assert [rating["index"] for rating in of_kind(lines_of(content), "rating")] == [1, 2, 3, 4, 5, 0]
    assert proof_of(content).void == 0


@pytest.mark.usefixtures("owners")
def test_tournaments_that_ran_at_once_are_proven_together_and_each(any_store: Store, maker: User) -> None:
    for name in ("cup", "league"):
        started(any_store, maker, name=name)
    play_out(any_store)
    proof = proof_of(of_ruleset(any_store))
    assert (proof.matches, proof.rated_matches, proof.ratings_taken) == (12, 12, 0)
    ratings = of_kind(lines_of(of_ruleset(any_store)), "rating")
    assert {rating["tournament"] for rating in ratings[:6]} == {1, 2}
    for name in ("cup", "league"):
        each = proof_of(of_tournament(any_store, name))
        assert each.rated_matches == 6
        assert each.ratings_taken > 0


def test_a_version_that_takes_over_a_rating_from_another_tournament(
    any_store: Store, maker: User, owners: dict[str, User]
) -> None:
    started(any_store, maker)
    play_out(any_store)
    for _ in range(2):
        submit_again(any_store, owners["abel"], "abel")
    started(any_store, maker, name="league")
    play_out(any_store)
    content = of_tournament(any_store, "league")
    versions = {(line["bot"], line["version"]) for line in of_kind(lines_of(content), "version")}
    assert versions == {("abel", 3), ("beth", 1), ("cora", 1), ("dora", 1), ("abel", 1)}
    assert proof_of(content).ratings_taken == 4
    assert proof_of(of_ruleset(any_store)).rating_changes == 2 * 12 + 1


def test_bots_of_one_owner_are_not_rated_against_each_other(
    any_store: Store, maker: User, owners: dict[str, User]
) -> None:
    submit(any_store, owners["abel"], "axel")
    submit_again(any_store, owners["abel"], "axel")
    started(any_store, maker, bots=["abel", "axel", "beth"])
    play_out(any_store)
    proof = proof_of(of_tournament(any_store, "cup"))
    assert (proof.matches, proof.rated_matches) == (3, 2)


@pytest.mark.usefixtures("owners")
def test_unrated_tournaments_and_retired_bots_are_in_the_history(
    any_store: Store, maker: User, owners: dict[str, User]
) -> None:
    made = tournaments.create(
        any_store, maker, name="open", ruleset="oware", bots=["abel", "beth"], match_format="games-2", seed="42"
    )
    tournaments.start(any_store, maker, made.id)
    started(any_store, maker)
    play_out(any_store)
    bots.retire(any_store, owners["abel"], "abel")
    proof = proof_of(of_ruleset(any_store, " Oware:quiet_limit=500"))
    assert [seen.name for seen in proof.tournaments] == ["open", "cup"]
    assert (proof.matches, proof.rated_matches) == (7, 6)


FIRST_RESULT = select(func.min(result_rows.c.match_id)).scalar_subquery()
FIRST_CHANGE = select(func.min(rating_changes.c.id)).scalar_subquery()
DAMAGES = {
    "result": update(result_rows).where(result_rows.c.match_id == FIRST_RESULT).values(games=3),
    "ratings": update(rating_changes).where(rating_changes.c.id == FIRST_CHANGE).values(after=1600.0),
}


@pytest.mark.usefixtures("owners")
@pytest.mark.parametrize("check", DAMAGES)
def test_a_database_changed_by_hand_shows_in_its_export(any_store: Store, maker: User, check: str) -> None:
    started(any_store, maker)
    play_out(any_store)
    with any_store.write() as tx:
        tx.execute(DAMAGES[check])
    with pytest.raises(ArchiveRefused) as refused:
        proof_of(of_tournament(any_store, "cup"))
    assert refused.value.check == check


def test_progress_counts_the_matches_and_what_was_written_is_told(any_store: Store, maker: User) -> None:
    active_bots(any_store, NAMES)
    started(any_store, maker)
    play_out(any_store)
    written: list[bytes] = []
    seen: list[tuple[int, int]] = []
    exported = archives.export_tournament(
        any_store, "cup", written.append, lambda done, total: seen.append((done, total))
    )
    assert seen == [(done, 6) for done in range(1, 7)]
    assert (exported.matches, exported.lines, exported.running) == (6, len(written), ())
    assert exported.fingerprint == proof_of(b"".join(written)).fingerprint


def test_what_is_not_there_cannot_be_exported(any_store: Store) -> None:
    with pytest.raises(NotFound, match="no tournament 'cup'"):
        of_tournament(any_store, "cup")
    with pytest.raises(NotFound, match="No tournament of nsolo"):
        of_ruleset(any_store, "nsolo")
    with pytest.raises(UnknownGame):
        of_ruleset(any_store, "chess")
