"""Reports: believed after a replay, counted once, and what becomes of those that come late, twice or false."""

import json
import random
import threading
import zlib
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import func, select, update

from arena.errors import ArenaFault, BotException, BotLoad
from arena.match.player import MatchInfo
from arena.match.record import MatchPlayed, from_json
from arena.match.referee import play_match
from arena.services import dispatch, results
from arena.services.assignments import Assignment
from arena.services.ratings import advance_rating_cursor
from arena.store import leases
from arena.store.schema import attempts, matches, tournaments
from arena.store.schema import results as result_rows
from arena.store.session import Store
from tests.support import field
from tests.support.field import DicePlayer, Moment, Post


@pytest.fixture
def moment() -> Moment:
    return Moment()


def claimed_all(store: Store, moment: Moment, bots: int = 4, slots: int = 50) -> list[Assignment]:
    """Every match of a new tournament, leased, in schedule order."""
    field.add_tournament(store, [field.add_bot(store, f"bot-{number}") for number in range(bots)])
    dispatch.register_worker(store, "w1", slots, "A", moment)
    post = Post()
    dispatch.tick(store, post, moment)
    return field.claim(store, [match_id for batch in post.batches for match_id in batch], now=moment)


def hand_in(store: Store, assignment: Assignment, moment: Moment, played: MatchPlayed | None = None) -> str:
    return results.ingest(store, assignment, played or field.play(assignment.setup), 120, moment).status


def result_of(store: Store, match_id: int) -> Any:
    with store.read() as tx:
        return tx.execute(select(result_rows).where(result_rows.c.match_id == match_id)).one_or_none()


def attempt_of(store: Store, assignment: Assignment) -> Any:
    with store.read() as tx:
        same = (attempts.c.match_id == assignment.match_id, attempts.c.number == assignment.attempt)
        return tx.execute(select(attempts).where(*same)).one()


def cancel(store: Store, assignment: Assignment, moment: Moment) -> None:
    tournament_id = field.state_of(store, assignment.match_id).tournament_id
    with store.write() as tx:
        tx.execute(update(tournaments).values(state="cancelled"))
        leases.void_unplayed(tx, tournament_id, "cancelled", moment.at)
        advance_rating_cursor(tx, tournament_id, moment.at)


def test_an_accepted_record_is_kept_whole(any_store: Store, moment: Moment) -> None:
    assignment, *_ = claimed_all(any_store, moment)
    played = field.play(assignment.setup)
    assert hand_in(any_store, assignment, moment, played) == results.ACCEPTED
    row = result_of(any_store, assignment.match_id)
    assert from_json(json.loads(zlib.decompress(row.record))) == played.record
    assert (row.first_score, row.second_score) == played.record.score
    assert (Fraction(row.first_points, 2), Fraction(row.second_points, 2)) == played.record.points
    assert (row.winner, row.games, row.duration_ms) == (played.record.winner, len(played.record.games), 120)
    assert (row.first_log, row.second_log) == played.logs
    assert field.state_of(any_store, assignment.match_id).state == "finished"
    assert attempt_of(any_store, assignment).end == "finished"


def test_the_same_report_again_is_repeated_and_changes_nothing(any_store: Store, moment: Moment) -> None:
    assignment, *_ = claimed_all(any_store, moment)
    assert hand_in(any_store, assignment, moment) == results.ACCEPTED
    before = field.ledgers(any_store)
    for _ in range(5):
        assert hand_in(any_store, assignment, moment) == results.REPEATED
    assert field.ledgers(any_store) == before


def test_the_same_report_from_many_threads_counts_once(any_store: Store, moment: Moment) -> None:
    assignment, *_ = claimed_all(any_store, moment)
    played = field.play(assignment.setup)
    statuses: list[str] = []

    def report() -> None:
        statuses.append(hand_in(any_store, assignment, moment, played))

    threads = [threading.Thread(target=report) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(statuses) == [results.ACCEPTED] + [results.REPEATED] * 5


def test_another_record_of_the_same_attempt_is_refused(store: Store, moment: Moment) -> None:
    assignment, *_ = claimed_all(store, moment)
    played = field.play(assignment.setup)
    hand_in(store, assignment, moment, played)
    other = replace(played, record=replace(played.record, isolation="B"))
    assert hand_in(store, assignment, moment, other) == results.REFUSED
    assert from_json(json.loads(zlib.decompress(result_of(store, assignment.match_id).record))) == played.record


def test_a_late_report_is_refused_and_kept(any_store: Store, moment: Moment) -> None:
    late, *_ = claimed_all(any_store, moment)
    played = field.play(late.setup)
    moment.pass_seconds(any_store.settings.lease_seconds + 1)
    dispatch.tick(any_store, Post(), moment)
    assert hand_in(any_store, late, moment, played) == results.REFUSED
    assert result_of(any_store, late.match_id) is None
    assert from_json(json.loads(zlib.decompress(attempt_of(any_store, late).late_record))) == played.record
    (again,) = field.claim(any_store, [late.match_id], "w2", moment)
    assert hand_in(any_store, late, moment, played) == results.REFUSED
    assert hand_in(any_store, again, moment) == results.ACCEPTED
    assert hand_in(any_store, late, moment, played) == results.REFUSED
    assert result_of(any_store, late.match_id).attempt == 2


def test_a_report_that_nobody_overtook_counts_though_the_lease_is_over(store: Store, moment: Moment) -> None:
    assignment, *_ = claimed_all(store, moment)
    moment.pass_seconds(store.settings.lease_seconds + 1)
    assert hand_in(store, assignment, moment) == results.ACCEPTED


def test_a_report_after_cancel_is_refused(any_store: Store, moment: Moment) -> None:
    first, second, *_ = claimed_all(any_store, moment)
    hand_in(any_store, second, moment)
    cancel(any_store, first, moment)
    assert hand_in(any_store, first, moment) == results.REFUSED
    assert field.state_of(any_store, first.match_id).state == "void"
    changes = field.ledgers(any_store).changes
    assert {change[0][1] for change in changes} == {1}          # the finished one is rated, behind the void one


def test_a_false_record_is_a_failure_of_ours(any_store: Store, moment: Moment) -> None:
    assignment, *_ = claimed_all(any_store, moment)
    played = field.play(assignment.setup)
    score = (2, 0) if played.record.score != (2, 0) else (0, 2)
    false = replace(played, record=replace(played.record, score=score))
    assert hand_in(any_store, assignment, moment, false) == results.REFUSED
    row = field.state_of(any_store, assignment.match_id)
    assert (row.state, row.failures) == ("due", 1)
    assert "record-refused" in attempt_of(any_store, assignment).detail
    assert attempt_of(any_store, assignment).late_record is not None


def test_the_record_of_another_match_is_refused(store: Store, moment: Moment) -> None:
    first, second, *_ = claimed_all(store, moment)
    assert hand_in(store, first, moment, field.play(second.setup)) == results.REFUSED
    detail = attempt_of(store, first).detail
    assert "the record has another one" in detail
    assert second.setup.seed not in detail


def test_the_last_report_ends_the_tournament(any_store: Store, moment: Moment) -> None:
    assignments = claimed_all(any_store, moment)
    tournament_id = field.state_of(any_store, assignments[0].match_id).tournament_id
    for assignment in assignments:
        assert field.tournament(any_store, tournament_id).state == "running"
        moment.pass_seconds(1)
        hand_in(any_store, assignment, moment)
    row = field.tournament(any_store, tournament_id)
    assert (row.state, row.ended_at, row.rating_cursor) == ("finished", moment.at, 6)


def test_a_paused_tournament_takes_what_was_being_played(store: Store, moment: Moment) -> None:
    assignments = claimed_all(store, moment)
    with store.write() as tx:
        tx.execute(update(tournaments).values(state="paused"))
    assert {hand_in(store, assignment, moment) for assignment in assignments} == {results.ACCEPTED}
    assert field.tournament(store, 1).state == "finished"


def test_any_order_of_reports_gives_the_same_ledger(any_store: Store, moment: Moment) -> None:
    assignments = claimed_all(any_store, moment, bots=7)
    in_order = [field.play(assignment.setup) for assignment in assignments]
    reports = list(zip(assignments, in_order, strict=True))
    random.Random(7).shuffle(reports)
    for assignment, played in reports:
        hand_in(any_store, assignment, moment, played)
    changes = field.ledgers(any_store).changes
    places = [place for (_, place), *_ in changes]
    assert places == sorted(places)
    assert len(changes) == 2 * 21


def test_reports_from_many_threads_give_the_ledger_of_one(any_store: Store, moment: Moment) -> None:
    assignments = claimed_all(any_store, moment, bots=10)
    reports = [(assignment, field.play(assignment.setup)) for assignment in assignments]
    random.Random(1).shuffle(reports)

    def report(share: list[tuple[Assignment, MatchPlayed]]) -> None:
        for assignment, played in share:
            hand_in(any_store, assignment, moment, played)

    threads = [threading.Thread(target=report, args=(reports[number::8],)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert field.tournament(any_store, 1).state == "finished"
    assert field.ledgers(any_store) == field.undisturbed(10)


def test_a_void_match_is_skipped_by_the_ledger(store: Store, moment: Moment) -> None:
    first, *others = claimed_all(store, moment)
    for assignment in others:
        hand_in(store, assignment, moment)
    assert field.ledgers(store).changes == []                   # all wait for the first
    with store.write() as tx:
        tx.execute(update(matches).where(matches.c.id == first.match_id).values(failures=2))
    results.report_fault(store, first, ArenaFault("no sandbox"), moment)
    assert {place for (_, place), *_ in field.ledgers(store).changes} == {1, 2, 3, 4, 5}
    assert field.tournament(store, 1).state == "finished"


def test_two_bots_of_one_owner_are_not_rated_but_those_of_the_arena_are(store: Store, moment: Moment) -> None:
    for owner, rated in (("ada", 0), ("arena", 1)):
        pair = [field.add_bot(store, f"{owner}-{number}", owner) for number in range(2)]
        field.add_tournament(store, pair, f"cup-of-{owner}")
        field.play_out(store, moment)
        assert len(field.ledgers(store).changes) == 2 * rated


@pytest.mark.parametrize(("changes", "rated"), [({"is_rated": False}, 0), ({"cycles": 2}, 6), ({"cycles": 4}, 6)])
def test_at_most_two_cycles_of_a_rated_tournament_count(
    store: Store, moment: Moment, changes: dict[str, Any], rated: int
) -> None:
    field.add_tournament(store, [field.add_bot(store, name) for name in ("ada", "ben", "cyd")], **changes)
    field.play_out(store, moment)
    assert len(field.ledgers(store).changes) == 2 * rated
    assert field.tournament(store, 1).state == "finished"


def qualify(store: Store, moment: Moment, fault_of: dict[int, Exception]) -> tuple[Assignment, str]:
    """Play the qualification of a new bot; who is in `fault_of` raises instead of answering, by seat."""
    version_id = field.add_bot(store, "newcomer", state="checking")
    match_id = field.add_qualification(store, version_id)
    dispatch.tick(store, Post(), moment)
    (assignment,) = field.claim(store, [match_id], now=moment)

    class FaultyPlayer(DicePlayer):
        load_ms = 12.6

        def __init__(self, seat: int) -> None:
            super().__init__(str(seat))
            self._seat = seat

        def choose(self, *turn: Any) -> Any:
            if self._seat in fault_of:
                raise fault_of[self._seat]
            return super().choose(*turn)

        def log(self) -> str:
            return "".join(f"line {number}\n" for number in range(100))

    def open_player(seat: int, info: MatchInfo, seed: bytes) -> DicePlayer:
        if isinstance(fault_of.get(seat), BotLoad):
            raise fault_of[seat]
        return FaultyPlayer(seat)

    played = play_match(assignment.setup, open_player, lambda game, ply: None)
    return assignment, results.ingest(store, assignment, played, 50, moment).status


def test_a_bot_that_plays_both_games_is_active(any_store: Store, moment: Moment) -> None:
    _, status = qualify(any_store, moment, {})
    version = field.version(any_store, 1)
    assert (status, version.state, version.fault_kind, version.import_ms) == ("accepted", "active", None, 13)
    assert version.decided_at == moment.at


def test_a_faulty_bot_is_rejected_with_the_fault_and_its_last_lines(any_store: Store, moment: Moment) -> None:
    qualify(any_store, moment, {0: BotException("NameError: name 'pits' is not defined")})
    version = field.version(any_store, 1)
    assert (version.state, version.fault_kind) == ("rejected", "exception")
    assert "NameError" in version.fault_message
    assert version.log.splitlines() == [f"line {number}" for number in range(60, 100)]


def test_a_bot_that_cannot_be_loaded_is_rejected(store: Store, moment: Moment) -> None:
    qualify(store, moment, {0: BotLoad("there is no choose_move")})
    assert (field.version(store, 1).state, field.version(store, 1).fault_kind) == ("rejected", "load")


def test_a_fault_of_the_house_is_ours(store: Store, moment: Moment) -> None:
    assignment, status = qualify(store, moment, {1: BotException("the house is on fire")})
    assert status == results.REFUSED
    assert field.version(store, 1).state == "checking"
    row = field.state_of(store, assignment.match_id)
    assert (row.state, row.failures) == ("due", 1)


def test_what_a_bot_prints_can_always_be_stored(any_store: Store, moment: Moment) -> None:
    assignment, *_ = claimed_all(any_store, moment)
    played = replace(field.play(assignment.setup), logs=("zero \0 and half \ud800", "✓"))
    assert hand_in(any_store, assignment, moment, played) == results.ACCEPTED
    assert result_of(any_store, assignment.match_id).first_log == "zero � and half ?"


def test_nothing_is_half_written_when_the_ledger_fails(
    store: Store, moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    assignment, *_ = claimed_all(store, moment)

    def fail(*_: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(results, "advance_rating_cursor", fail)
    with pytest.raises(RuntimeError):
        hand_in(store, assignment, moment)
    assert field.state_of(store, assignment.match_id).state == "leased"
    with store.read() as tx:
        assert tx.scalar(select(func.count()).select_from(result_rows)) == 0
    monkeypatch.undo()
    assert hand_in(store, assignment, moment) == results.ACCEPTED
