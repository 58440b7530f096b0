"""The engines against OpenSpiel and against plain C, as ratios.

    python benchmarks/engines.py [--quick]      ends with 1 when a goal is not reached

OpenSpiel comes with the extra `bench`.  Every side plays random games and draws its lots the same way; a unit is one
move.  Processor time; medians of seven rounds.
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
from arena.compiling import OPTION
from arena.games.playout import play_out
from benchmarks import peers, plain_c
from benchmarks.measuring import Comparison, Effort, NotHere, Rows, compared, per_unit, run

LONGEST = 500                   # moves of a game in the loops of positions, which know no repetition
MOVES = {"oware": 90_000, "urim": 90_000}
OTHER_MOVES = 50_000
INTERPRETED_MOVES = 12_000


def measure(effort: Effort) -> Rows:
    """A row for each loop, against its peer."""
    yield from peers.compared_with_open_spiel(against_open_spiel, effort)
    with tempfile.TemporaryDirectory() as folder:
        yield from compared(against_c(Path(folder)), effort)


def interpreted_move() -> float:
    """Nanoseconds for a move, by an interpreter of its own that leaves the compiled games aside."""
    command = [sys.executable, "-X", OPTION, "-c", "from benchmarks import engines; print(engines.move_of_oware())"]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def move_of_oware() -> float:
    return per_unit(lambda: loop(games.load("oware").initial, INTERPRETED_MOVES))


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


def against_open_spiel() -> list[Comparison]:
    pyspiel = peers.open_spiel()
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

    rows = []
    for name in ("oware", "urim"):
        rules = games.load(name)
        made = moves_of(rules, 2_000)
        rows += [
            Comparison(f"{rules.title}: `legal_moves`, `play` in a Python loop", "OpenSpiel's Oware from Python",
                       "moves", timed(loop, rules.initial, MOVES[name]), timed(from_python), 2.0),
            Comparison(f"{rules.title}: `Game.legal_moves`, `push` in a Python loop", "OpenSpiel's Oware from Python",
                       "moves", timed(loop_of_games, rules, MOVES[name]), timed(from_python)),
            Comparison(f"{rules.title}: whole games in the engine, `play_out`", "OpenSpiel's `evaluate_bots`",
                       "moves", timed(played, rules, 2_000, made), timed(in_cpp), 1.3),
        ]
    return [*rows, Comparison("Oware (Abapa), interpreted: `legal_moves`, `play`", "OpenSpiel's Oware from Python",
                              "moves", interpreted_move, timed(from_python), 0.2)]


def against_c(folder: Path) -> list[Comparison]:
    if shutil.which("cc") is None:
        raise NotHere("there is no C compiler to make plain C with")
    rows = []
    for name in plain_c.GAMES:
        rules, module, seeds = games.load(name), plain_c.compiled(name, folder), 100 if name == "anywoli" else 1_000
        plain_c.check(name, module, range(100))
        made = moves_of(rules, seeds)
        rows += [
            Comparison(f"{rules.title}: `legal_moves`, `play` in a Python loop", "plain C with the same interface",
                       "moves", timed(loop, rules.initial, OTHER_MOVES), timed(loop, module.initial, OTHER_MOVES), 0.4),
            Comparison(f"{rules.title}: whole games in the engine, `play_out`", "the same games within C",
                       "moves", timed(played, rules, seeds, made), timed(played_in_c, module, seeds)),
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
    sys.exit(run("Engines", measure))
