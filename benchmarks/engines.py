"""The engines against OpenSpiel and against plain C, as ratios.

    python benchmarks/engines.py        ends with 1 when a goal is not reached

Peers come with the extra `bench`; rows whose peer, or whose C compiler, is missing are left out.  Every side plays
random games and draws its lots the same way; a unit is one move.
"""

import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena import games
from arena.games.compiling import OPTION
from arena.games.playout import play_out
from benchmarks import plain_c
from benchmarks.measuring import Row, per_unit, report

LONGEST = 500                   # moves of a game in the loops of positions, which know no repetition
MOVES = {"oware": 90_000, "urim": 90_000}
OTHER_MOVES = 50_000
INTERPRETED_MOVES = 12_000


def main() -> int:
    """Print the table; with the name of a game, its nanoseconds for a move in the loop of positions."""
    if sys.argv[1:]:
        print(per_unit(lambda: loop(games.load(sys.argv[1]).initial, INTERPRETED_MOVES)))
        return 0
    if not games.is_compiled():
        print("the games are not compiled here: python scripts/compile_games.py --required says why")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        rows = [*against_open_spiel(), *against_c(Path(folder))]
        return 0 if report("Engines", rows) else 1


def loop(initial: Callable[[], Any], moves: int) -> int:
    """Play so many moves of random games, in Python, through `legal_moves` and `play`; our positions and C's."""
    chance = random.Random(1).random
    made = 0
    while made < moves:
        position = initial()
        for number in range(LONGEST):       # noqa: B007  counts the moves
            legal = position.legal_moves()
            if not legal:
                break
            position = position.play(legal[int(chance() * len(legal))])
        made += number
    return made


def loop_of_games(rules: games.Rules, moves: int) -> int:
    """The same through `Game`, which knows repetition and the limits."""
    chance = random.Random(1).random
    made = 0
    while made < moves:
        game = games.Game(rules)
        while legal := game.legal_moves():
            game.push(legal[int(chance() * len(legal))])
        made += len(game.moves)
    return made


def whole_games(rules: games.Rules, seeds: int) -> None:
    start = rules.initial()
    for seed in range(seeds):
        play_out(start, seed)


def moves_of(rules: games.Rules, seeds: int) -> int:
    """How many moves these playouts make."""
    made = 0
    for seed in range(seeds):
        game = games.Game(rules)
        chance = 1 + seed % (plain_c.MODULUS - 1)
        while legal := game.legal_moves():
            chance = chance * plain_c.MULTIPLIER % plain_c.MODULUS
            game.push(legal[chance % len(legal)])
        made += len(game.moves)
    return made


def against_open_spiel() -> list[Row]:
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed (extra `bench`): its rows are left out\n")
        return []
    game = pyspiel.load_game("oware")
    bots = [pyspiel.make_uniform_random_bot(player, 17 + player) for player in (0, 1)]

    def from_python() -> int:
        chance = random.Random(1).random
        made = 0
        while made < MOVES["oware"]:
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(chance() * len(legal))])
            made += state.move_number()
        return made

    def in_cpp() -> int:
        made = 0
        for seed in range(2_000):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, seed)
            made += state.move_number()
        return made

    def interpreted() -> float:
        command = [sys.executable, "-X", OPTION, __file__, "oware"]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    rows = []
    for name in ("oware", "urim"):
        rules = games.load(name)
        made = moves_of(rules, 2_000)
        rows += [
            Row(f"{rules.title}: `legal_moves`, `play` in a Python loop", "OpenSpiel's Oware from Python", "moves",
                timed(loop, rules.initial, MOVES[name]), lambda: per_unit(from_python), 2.0),
            Row(f"{rules.title}: `Game.legal_moves`, `push` in a Python loop", "the same", "moves",
                timed(loop_of_games, rules, MOVES[name]), lambda: per_unit(from_python)),
            Row(f"{rules.title}: whole games in the engine, `play_out`", "OpenSpiel's `evaluate_bots`", "moves",
                timed(played, rules, 2_000, made), lambda: per_unit(in_cpp), 1.3),
        ]
    return [*rows, Row("Oware (Abapa), interpreted: `legal_moves`, `play`", "OpenSpiel's Oware from Python", "moves",
                       interpreted, lambda: per_unit(from_python), 0.2)]


def against_c(folder: Path) -> list[Row]:
    if shutil.which("cc") is None:
        print("There is no C compiler: the rows of plain C are left out\n")
        return []
    rows = []
    for name in plain_c.GAMES:
        rules, module, seeds = games.load(name), plain_c.compiled(name, folder), 100 if name == "anywoli" else 1_000
        plain_c.check(name, module, range(100))
        made = moves_of(rules, seeds)
        rows += [
            Row(f"{rules.title}: `legal_moves`, `play` in a Python loop", "plain C with the same interface", "moves",
                timed(loop, rules.initial, OTHER_MOVES), timed(loop, module.initial, OTHER_MOVES), 0.4),
            Row(f"{rules.title}: whole games in the engine, `play_out`", "the same games within C", "moves",
                timed(played, rules, seeds, made), timed(played_in_c, module, seeds)),
        ]
    return rows


def played(rules: games.Rules, seeds: int, made: int) -> int:
    whole_games(rules, seeds)
    return made


def played_in_c(module: Any, seeds: int) -> int:
    return sum(map(module.play_out, range(seeds)))


def timed(work: Callable[..., int], *arguments: Any) -> Callable[[], float]:
    return lambda: per_unit(lambda: work(*arguments))


if __name__ == "__main__":
    sys.exit(main())
