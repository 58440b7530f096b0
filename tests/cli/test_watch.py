"""The boards that a watcher sees bear the numbers of the moves."""

import pytest

from arena import games
from arena.cli.watch import Watched
from arena.games import Game, Outcome
from arena.match.turn import ClockView, Reply, Timing

PLIES = 12


class FirstLegal:
    """Plays the first legal move."""

    def new_game(self, side: int) -> None: ...

    def choose(self, game: Game, clock: ClockView, limit_us: int) -> Reply:
        return Reply((game.legal_moves()[0],), Timing(0, 0, 0, 0))

    def game_over(self, outcome: Outcome | None) -> None: ...

    def close(self) -> None: ...

    def log(self) -> str:
        return ""


@pytest.mark.parametrize("name", games.names())
def test_each_pit_stands_beside_its_number(name: str) -> None:
    shown: list[str] = []
    watched = Watched(FirstLegal(), shown.append, lambda: None)
    game = Game(games.load(name))
    for _ in range(PLIES):
        shown.clear()
        reply = watched.choose(game, ClockView(0, 0, 0), 0)
        north, south = pits_by_number(shown[0])
        pits = game.position.pits
        half = len(pits) // 2
        assert (south, north) == (dict(enumerate(pits[:half])), dict(enumerate(pits[half:])))
        for move in reply.moves:
            game.push(move)


def pits_by_number(board: str) -> tuple[dict[int, int], dict[int, int]]:
    """North's seeds and South's, each by the number that stands above or below."""
    lines = board.strip("\n").splitlines()
    middle = next(number for number, line in enumerate(lines) if "---" in line)
    below = [line for line in lines[middle + 1 :] if not line.startswith("in hand")]
    above = lines[:middle]
    north = {pit: seeds for row in range(0, len(above), 2) for pit, seeds in pairs(above[row], above[row + 1])}
    south = {pit: seeds for row in range(0, len(below), 2) for pit, seeds in pairs(below[row + 1], below[row])}
    return north, south


def pairs(numbers: str, seeds: str) -> list[tuple[int, int]]:
    assert numbers.startswith("    pits ")
    pits = [int(word) for word in numbers.removeprefix("    pits ").split()]
    cells = [int(seeds[9 + 4 * place : 13 + 4 * place]) for place in range(len(pits))]
    return list(zip(pits, cells, strict=True))


def test_turns_are_told_as_players_write_them() -> None:
    shown: list[str] = []
    Watched(FirstLegal(), shown.append, lambda: None).choose(Game(games.load("oware")), ClockView(0, 0, 0), 0)

    assert shown[-1] == "South plays 0"
