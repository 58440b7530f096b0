"""What bots did lately is what the ledger says, on every database."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from arena.errors import NotFound, UnknownGame
from arena.services import careers, ratings
from arena.store.schema import rating_changes
from arena.store.session import Store
from tests.support import field, season


def test_form_curve_and_change_are_those_of_the_ledger(any_store: Store) -> None:
    season.begin(any_store, cycles=2, played_of_running=3)
    now = field.START
    with any_store.write() as tx:           # one change an hour, the last of them now
        ids = tx.scalars(select(rating_changes.c.id).order_by(rating_changes.c.id.desc())).all()
        for hours, change_id in enumerate(ids):
            at = now - timedelta(hours=hours)
            tx.execute(update(rating_changes).where(rating_changes.c.id == change_id).values(created_at=at))
    names = [*season.NAMES, "nobody"]
    lately = careers.lately(any_store, "oware", names, now)
    for name in season.NAMES:
        history = ratings.history(any_store, name, "oware", limit=200).items
        yesterday = [change.after for change in history if change.created_at <= now - careers.DAY]
        assert lately[name].form == tuple(change.score for change in history[:10])
        assert lately[name].curve == tuple(change.after for change in reversed(history[:24]))
        assert lately[name].since_yesterday == history[0].after - yesterday[0]
    assert lately["nobody"] == careers.Lately()
    assert careers.lately(any_store, "urim", names, now)[season.NAMES[0]] == careers.Lately()


def test_a_career_adds_up(store: Store) -> None:
    season.begin(store, cycles=2, played_of_running=0)
    career = careers.career(store, season.NAMES[0])
    (rated,) = career.rated
    assert (career.ruleset, rated.matches) == ("oware", 16)
    assert career.points[0].after == rated.rating
    assert sum(versus.tally.matches for versus in career.opponents) == rated.matches
    assert sum(versus.gained for versus in career.opponents) == pytest.approx(rated.rating - 1500)
    assert sum(seat.wins for seat in career.seats) == rated.wins
    assert [seat.matches for seat in career.seats] == [8, 8]


def test_what_there_is_not_is_refused(store: Store) -> None:
    season.begin(store, cycles=1, played_of_running=0)
    with pytest.raises(NotFound, match="nobody"):
        careers.career(store, "nobody")
    with pytest.raises(UnknownGame):
        careers.career(store, season.NAMES[0], "chess")
