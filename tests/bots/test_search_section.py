"""The searching bot of bots/README.md plays every game, in time."""

import random
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena import games

README = Path(__file__).parents[2] / "bots" / "README.md"


def searching_bot() -> Any:
    section = README.read_text().partition("## Let the engine search")[2].partition("\n## ")[0]
    source = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    assert len(source) == 1
    names: dict[str, Any] = {}
    exec(source[0], names)
    return names["choose_move"]


@pytest.mark.parametrize("name", games.names())
def test_the_searching_bot_moves_legally_and_in_time(name: str) -> None:
    choose_move = searching_bot()
    most_seconds = 0.1 if games.is_compiled() else 0.2      # interpreted, room for more positions takes a while
    game = games.Game(games.load(name))
    for _ in range(8):
        clock = SimpleNamespace(turn_ms=100.0, bank_ms=2000.0, last_charged_ms=0.0)
        begin = time.process_time()
        move = choose_move(game.position, clock, game)
        assert time.process_time() - begin < most_seconds
        game.push(move)
        if game.outcome() is not None:
            break


def test_the_searching_bot_beats_chance() -> None:
    """Three games of Oware, moving second."""
    choose_move, chance = searching_bot(), random.Random(3)
    for _ in range(3):
        game = games.Game(games.load("oware"))
        while game.outcome() is None:
            clock = SimpleNamespace(turn_ms=5.0, bank_ms=0.0, last_charged_ms=0.0)
            is_chances_turn = game.position.to_move == games.SOUTH
            game.push(chance.choice(game.legal_moves()) if is_chances_turn
                      else choose_move(game.position, clock, game))
        outcome = game.outcome()
        assert outcome is not None
        assert outcome.winner == games.NORTH
