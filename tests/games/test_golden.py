"""Recorded games, replayed ply by ply: a change of the rules shows here first.

`golden/<game>.toml` holds for each game its ruleset, `plies` (a move and the position it led to, a line each) and its
outcome; `golden/record.py` writes one.
"""

from typing import Any

import pytest

from arena import games
from arena.games import notation
from tests.games.material import golden_of
from tests.games.test_cases import check_outcome

RECORDS = [
    pytest.param(record, id=f"{number}-{record['ruleset']}")
    for name in games.names()
    for number, record in enumerate(golden_of(name))
]


@pytest.mark.parametrize("record", RECORDS)
def test_golden_game_replays(record: dict[str, Any]) -> None:
    game = games.Game(games.load(record["ruleset"]))
    for line in record["plies"].splitlines():
        move, _, position = line.partition(" ")
        assert game.outcome() is None
        game.push(int(move))
        assert notation.position_text(game.position) == f"{record['ruleset']} {position}"
    check_outcome(game.outcome(), record)
