"""Tables from the sums that are kept with every result: always those that all results give."""

import pytest
from sqlalchemy import update

from arena.match.record import MatchPlayed
from arena.services import dispatch, ratings, recount, results, standings, tournaments
from arena.services.lookup import with_entrants
from arena.store import matches as match_rows
from arena.store.accounts import User
from arena.store.migrate import downgrade, migrate
from arena.store.schema import tallies
from arena.store.session import Store
from arena.tournament import standings as plain
from arena.tournament.round_robin import pairing_at
from arena.tournament.standings import Result, Standing
from tests.support import field
from tests.support.cup import NAMES, play_some, started
from tests.support.field import Moment, Post
from tests.support.people import active_bots, register


@pytest.fixture
def maker(any_store: Store) -> User:
    active_bots(any_store, NAMES)
    return register(any_store, "maker")


def plain_table(store: Store, tournament_id: int) -> list[Standing]:
    """The table as the results give it, without anything that was kept."""
    cup, entered = tournaments.show(store, tournament_id), tournaments.entrants(store, tournament_id)
    with store.read() as tx:
        finished = list(match_rows.finished_pairings(tx, tournament_id))
    played = [
        Result(pairing.first, pairing.second, one.score, one.points)
        for one in finished for pairing in [pairing_at(len(entered), cup.cycles, one.schedule_index)]
    ]
    gone = {entrant.number for entrant in entered if entrant.withdrawn_at}
    return plain.standings(range(len(entered)), played, gone, cycles=cup.cycles)


def kept_table(store: Store, tournament_id: int) -> list[Standing]:
    with store.read() as tx:
        tournament, entrants = with_entrants(tx, tournament_id)
        return standings.table_of(tx, tournament, entrants)


def test_the_table_is_that_of_the_results_after_every_match(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker, cycles=2)
    for played in range(12):
        if played == 4:
            tournaments.withdraw(any_store, maker, cup.id, "beth")
        assert kept_table(any_store, cup.id) == plain_table(any_store, cup.id)
        if tournaments.show(any_store, cup.id).state == "running":
            play_some(any_store, 1)
    field.play_out(any_store, Moment())
    assert kept_table(any_store, cup.id) == plain_table(any_store, cup.id)
    assert recount.recount(any_store, dry_run=True) == recount.Recount(1, ())


def test_a_report_that_comes_twice_or_late_is_not_added(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    dispatch.tick(any_store, Post(), Moment())
    (assignment, *_) = dispatch.claim_each(any_store, "w1", range(1, 9), Moment())
    played: MatchPlayed = field.play(assignment.setup)
    for _ in range(3):
        results.ingest(any_store, assignment, played, 100, Moment())
    assert sum(line.matches for line in standings.standings(any_store, cup.id)) == 2
    assert kept_table(any_store, cup.id) == plain_table(any_store, cup.id)


def test_the_crosstable_of_the_leaders_is_the_corner_of_the_whole(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    field.play_out(any_store, Moment())
    whole, corner = standings.crosstable(any_store, cup.id), standings.crosstable(any_store, cup.id, 2)
    assert (corner.bots, corner.size, whole.size) == (whole.bots[:2], 4, 4)
    assert corner.cells == tuple(row[:2] for row in whole.cells[:2])


def test_who_left_early_has_no_cells(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker, cycles=2)
    play_some(any_store, 2)
    tournaments.withdraw(any_store, maker, cup.id, "cora")
    field.play_out(any_store, Moment())
    table = standings.crosstable(any_store, cup.id)
    gone = table.bots.index("cora")
    assert gone == 3
    assert all(row[gone] is None for row in table.cells)
    assert table.cells[gone] == (None,) * 4


def test_wrong_sums_are_seen_and_put_right(any_store: Store, maker: User) -> None:
    cup = started(any_store, maker)
    field.play_out(any_store, Moment())
    before = kept_table(any_store, cup.id)
    with any_store.write() as tx:
        tx.execute(update(tallies).where(tallies.c.number == 1).values(score=tallies.c.score + 1))
        tx.execute(update(tallies).where(tallies.c.number == 2).values(pairs_met=bytes(8)))
        tx.execute(tallies.delete().where(tallies.c.number == 3))
    seen = ratings.rebuild(any_store, dry_run=True)
    assert (seen.tournaments, seen.different) == (1, 3)
    assert "cora has 3 matches" in seen.differences[1]
    assert "against single opponents" in seen.differences[1]
    assert "dora has 0 matches, 0 half-points and 0 of games; by its results 3 matches" in seen.differences[2]
    assert kept_table(any_store, cup.id) != before
    ratings.rebuild(any_store, dry_run=False)
    assert ratings.rebuild(any_store, dry_run=True).is_exact
    assert kept_table(any_store, cup.id) == before


def test_results_from_before_there_were_sums_are_added_up(any_store: Store, any_url: str, maker: User) -> None:
    cup = started(any_store, maker, cycles=2)
    play_some(any_store, 5)
    before = kept_table(any_store, cup.id)
    any_store.dispose()
    downgrade(any_url, "0001")
    migrate(any_url)
    assert kept_table(any_store, cup.id) == before
    assert ratings.rebuild(any_store, dry_run=True).is_exact
