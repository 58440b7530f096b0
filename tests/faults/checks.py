"""What must hold after every fault: the tournament ended as if nothing had happened, and nothing is left over."""

from sqlalchemy import select

from arena.services import ratings
from arena.store.schema import attempts, results
from tests.faults import cups
from tests.faults.cups import Cup
from tests.faults.rig import Rig
from tests.support import field
from tests.support.processes import eventually
from tests.support.sql_boards import sql_board

ENDS_SECONDS = 180
SETTLES_SECONDS = 90


def assert_ends(rig: Rig, cup: Cup, allowed: frozenset[str]) -> None:
    """No attempt failed that did not have to."""
    of_cup = [row.id for row in cups.match_rows_of(rig.store, cup)]
    with rig.store.read() as tx:
        ends = set(tx.scalars(select(attempts.c.end).where(attempts.c.match_id.in_(of_cup))))
    assert ends <= allowed


def assert_as_if_undisturbed(rig: Rig, cup: Cup) -> None:
    """Wait for the end, and compare."""
    eventually(lambda: field.tournament(rig.store, cup.id).state == "finished", ENDS_SECONDS, "the tournament's end")
    _one_result_each(rig, cup)
    found, undisturbed = cups.story(rig.store, cup), cups.undisturbed(cup.entrants)
    assert found.games == undisturbed.games
    assert found.ledger == undisturbed.ledger
    assert found == undisturbed
    refolded = ratings.rebuild(rig.store, dry_run=True)
    assert refolded.is_exact, refolded.differences
    eventually(lambda: _shown(rig) == _stored(rig), SETTLES_SECONDS, "the board in Redis is that of the database")


def assert_nothing_left(rig: Rig) -> None:
    """Every process that belongs to the arena runs again, and no other."""
    try:
        eventually(rig.is_whole, SETTLES_SECONDS, "as many processes as in the beginning")
    except AssertionError as error:
        raise AssertionError(f"{error}: {rig.strength}, and now {rig.processes()}") from error


def _one_result_each(rig: Rig, cup: Cup) -> None:
    """Every match is final, by exactly one of its attempts, whose result is the one that counts."""
    played = {row.id: row for row in cups.match_rows_of(rig.store, cup)}
    with rig.store.read() as tx:
        kept = list(tx.execute(select(results.c.match_id, results.c.attempt).where(results.c.match_id.in_(played))))
        done = select(attempts.c.match_id, attempts.c.number).where(attempts.c.end == "finished")
        ended = list(tx.execute(done.where(attempts.c.match_id.in_(played))))
    assert [row.state for row in played.values()] == ["finished"] * cup.matches
    assert sorted(map(tuple, kept)) == sorted((row.id, row.attempt) for row in played.values())
    assert sorted(map(tuple, ended)) == sorted(map(tuple, kept))


def _shown(rig: Rig) -> object:
    page = rig.store.boards.page("oware", 10_000, None)
    return None if page is None else page.entries


def _stored(rig: Rig) -> object:
    return sql_board(rig.store, "oware").entries
