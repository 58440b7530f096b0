"""Write a golden game: `python -m tests.games.golden.record RULESET SEED >> tests/games/golden/GAME.toml`.

The game is random by the seed.  Once on file it is never written anew: a change of its replay is a change of the rules.
"""

import random
import sys

from arena import games
from arena.games import notation

WINNERS = ("South", "North")


def record(ruleset: str, seed: int) -> str:
    """One recorded game: each move with the position it leads to, then the outcome."""
    chance = random.Random(seed)
    game = games.Game(games.load(ruleset))
    lines: list[str] = []
    while (outcome := game.outcome()) is None:
        move = chance.choice(game.legal_moves())
        game.push(move)
        lines.append(f"{move} {notation.position_text(game.position).partition(' ')[2]}")
    winner = "nobody" if outcome.winner is None else WINNERS[outcome.winner]
    plies = "\n".join(lines)
    points = [str(points) for points in outcome.points]
    return (
        f'[[game]]\nruleset = "{game.rules.ruleset}"\nending = "{outcome.ending}"\nwinner = "{winner}"\n'
        f'seeds = {list(outcome.seeds)}\npoints = ["{points[0]}", "{points[1]}"]\nplies = """\n{plies}\n"""\n'
    )


if __name__ == "__main__":
    print(record(sys.argv[1], int(sys.argv[2])))
