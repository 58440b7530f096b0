"""Games played out by lot: the same rules as any game, and no memory kept."""

import random
import subprocess
import sys

import pytest

from arena import games
from arena.games.playout import play_out
from tests.games.material import rulesets

MULTIPLIER, MODULUS = 48271, 2147483647


def by_hand(position: games.Position, seed: int) -> games.Outcome:
    """The same lots drawn for a `Game`."""
    game = games.Game(position.rules, position)
    chance = 1 + seed % (MODULUS - 1)
    while (outcome := game.outcome()) is None:
        legal = game.legal_moves()
        chance = chance * MULTIPLIER % MODULUS
        game.push(legal[chance % len(legal)])
    return outcome


@pytest.mark.parametrize("ruleset", rulesets())
def test_a_playout_is_a_game(ruleset: str) -> None:
    position = games.load(ruleset).initial()
    for seed in (0, 1, 2**31, -5, 10**30):
        assert play_out(position, seed) == by_hand(position, seed)


@pytest.mark.parametrize("game", games.names())
def test_a_playout_goes_on_from_any_position(game: str) -> None:
    chance = random.Random(4)
    position = games.load(game).initial()
    for _ in range(25):
        if position.legal_moves():
            position = position.play(chance.choice(position.legal_moves()))
        assert play_out(position, 7) == by_hand(position, 7)


MEMORY = """if True:
    import gc, resource, sys
    from arena import games
    from arena.games.playout import play_out

    def peak():
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def play(moves):
        made = seed = 0
        while made < moves:
            seed += 1
            position = games.load(sys.argv[1]).initial()
            for number in range(200):
                legal = position.legal_moves()
                if not legal:
                    break
                position = position.play(legal[(seed + number * number) % len(legal)])
            made += number
            play_out(position, seed)
            hash(position)
    play(int(sys.argv[2]) // 10)
    before = peak()
    play(int(sys.argv[2]))
    print(peak() - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
def test_ten_million_moves_leave_no_memory_behind(game: str) -> None:
    """Two million in each game; a hundredth of that where moves are interpreted."""
    moves = 2_000_000 if games.is_compiled() else 20_000
    options = [f"-X{name}" for name in sys._xoptions]
    command = [sys.executable, *options, "-c", MEMORY, game, str(moves)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 1024, "more than a megabyte was kept"
