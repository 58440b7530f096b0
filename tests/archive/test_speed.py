"""A file is checked faster than it could be fetched: at least 200 games of Oware a second on one core."""

import time

import pytest

from arena.store.session import Store
from tests.support import field
from tests.support.archive import of_tournament, proof_of
from tests.support.field import Moment

GAMES_A_SECOND = 200


@pytest.mark.slow
def test_two_hundred_games_are_proven_in_a_second_of_one_core(store: Store) -> None:
    field.add_tournament(store, [field.add_bot(store, f"bot-{number}") for number in range(15)])
    field.play_out(store, Moment())
    content = of_tournament(store, "cup")
    seconds = []
    for _ in range(3):
        started = time.process_time()
        games = proof_of(content).games
        seconds.append(time.process_time() - started)
    assert games == 210
    assert games / min(seconds) >= GAMES_A_SECOND
