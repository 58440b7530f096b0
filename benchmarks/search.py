"""The search against the same search written in Python on OpenSpiel's interface, as ratios.

    python benchmarks/search.py [--quick]       ends with 1 when a goal is not reached

OpenSpiel comes with the extra `bench`.  Both sides judge by the same lead in seeds, and must find the same value.
Nothing is remembered from one position to the next.  Processor time; medians of seven rounds.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

from arena import games
from arena.games import search
from benchmarks import peers
from benchmarks.measuring import Comparison, Effort, Rows, per_unit, run
from benchmarks.rows import Row

DEPTH = 8
# Openings after which the games of both begin to differ in size; the first is the start itself.
OPENINGS = ((), (2, 3, 5, 1), (5, 0, 4, 2, 1, 3, 0, 5))
NODES = 300_000
INFINITE = 10**9


class PlainSearch:
    """Alpha-beta on OpenSpiel's states, to one depth, the moves in their order."""

    def __init__(self) -> None:
        self.nodes = 0

    def value(self, state: Any, depth: int, low: int = -INFINITE, high: int = INFINITE) -> int:
        self.nodes += 1
        if state.is_terminal():
            return final(state, DEPTH - depth)
        if depth == 0:
            return lead(state.observation_tensor(0), state.current_player())
        for action in state.legal_actions():
            low = max(low, -self.value(state.child(action), depth - 1, -high, -low))
            if low >= high:
                break
        return low


class SameSearch:
    """What arena.games.search does: deeper and deeper, positions remembered, the best move of before first."""

    def __init__(self) -> None:
        self.nodes = 0
        self.memory: dict[tuple[float, ...], tuple[int, int, str, int]] = {}

    def best(self, state: Any, deepest: int) -> int:
        for depth in range(1, deepest + 1):
            value = self.value(state, depth, -INFINITE, INFINITE, 0)
        return value

    def value(self, state: Any, depth: int, low: int, high: int, ply: int) -> int:
        self.nodes += 1
        if state.is_terminal():
            return final(state, ply)
        player = state.current_player()
        if depth == 0:
            return lead(state.observation_tensor(0), player)
        actions = state.legal_actions()
        key = None
        if depth > 1:
            key = (player, *state.observation_tensor(0))
            known = self.memory.get(key)
            if known is not None:
                value, searched, kind, first = known
                if searched == depth and (kind == "=" or (kind == ">" and value >= high)
                                          or (kind == "<" and value <= low)):
                    return value
                actions.remove(first)
                actions.insert(0, first)
        highest, chosen = -INFINITE, actions[0]
        for action in actions:
            value = -self.value(state.child(action), depth - 1, -high, -max(low, highest), ply + 1)
            if value > highest:
                highest, chosen = value, action
                if value >= high:
                    break
        if key is not None:
            kind = ">" if highest >= high else "=" if highest > low else "<"
            self.memory[key] = (highest, depth, kind, chosen)
        return highest


def lead(observed: list[float], player: int) -> int:
    """A seed taken counts four, one in the own row one; OpenSpiel shows seeds as shares of 48."""
    row = sum(observed[:6]) - sum(observed[6:12])
    south = round(48 * (4 * (observed[12] - observed[13]) + row))
    return south if player == 0 else -south


def final(state: Any, ply: int) -> int:
    won = int(state.returns()[state.current_player() if state.current_player() >= 0 else ply % 2])
    return won * (2 * search.HALF_POINT - ply)


def measure(effort: Effort) -> Rows:
    """The search against both peers; then how many positions it looks at in each game."""
    yield from peers.compared_with_open_spiel(against_open_spiel, effort)
    for name in games.names():
        rules = games.load(name)
        nanoseconds = [per_unit(lambda: search.best(rules.initial(), nodes=NODES).nodes)    # noqa: B023  called at once
                       for _ in range(effort.rounds)]
        row = Row(f"{rules.title}: positions that a search of {NODES:,} looks at")
        yield row.told([1e3 / each for each in nanoseconds], "million a second")


def a_round(work: Callable[[], object]) -> float:
    """Nanoseconds of processor time for all of it."""
    begin = time.process_time_ns()
    work()
    return float(time.process_time_ns() - begin)


def nodes_of_plain(state: Any) -> int:
    """How many positions the plain search looks at."""
    plain = PlainSearch()
    plain.value(state, DEPTH)
    return plain.nodes


def against_open_spiel() -> list[Comparison]:
    game = peers.open_spiel().load_game("oware")
    pairs = [set_up(game.new_initial_state(), opening) for opening in OPENINGS]
    for position, state in pairs:
        expected = PlainSearch().value(state, DEPTH)
        assert SameSearch().best(state, DEPTH) == search.best(position, DEPTH).value == expected

    def ours(entries: int = 1 << 16, evaluate: Any = None) -> float:
        return a_round(lambda: [search.Search(evaluate, entries).best(position, DEPTH) for position, _ in pairs])

    def same() -> float:
        return a_round(lambda: [SameSearch().best(state, DEPTH) for _, state in pairs])

    def plain() -> float:
        return a_round(lambda: [PlainSearch().value(state, DEPTH) for _, state in pairs])

    def our_node() -> float:
        return per_unit(lambda: sum(search.Search(entries=0).best(position, DEPTH).nodes for position, _ in pairs))

    def plain_node() -> float:
        return per_unit(lambda: sum(nodes_of_plain(state) for _, state in pairs))

    def own_lead(position: games.Position) -> int:
        half = len(position.pits) // 2
        row = sum(position.pits[:half]) - sum(position.pits[half:])
        south = 4 * (position.stores[0] - position.stores[1]) + row
        return south if position.to_move == games.SOUTH else -south

    oware = f"Oware (Abapa) to depth {DEPTH} from three positions"
    same_search, alpha_beta = "the same search in Python on OpenSpiel", "plain alpha-beta in Python on OpenSpiel"
    return [
        Comparison(f"{oware}: `Search().best`", same_search, "times", ours, same, 15.0),
        Comparison(f"{oware}: `Search().best`", alpha_beta, "times", ours, plain, 15.0),
        Comparison(f"{oware}: a node, nothing remembered", alpha_beta, "nodes", our_node, plain_node),
        Comparison(f"{oware}: `Search(evaluate)`, judged by a Python function", same_search, "times",
                   lambda: ours(evaluate=own_lead), same),
    ]


def set_up(state: Any, opening: tuple[int, ...]) -> tuple[games.Position, Any]:
    position = games.load("oware").initial()
    for move in opening:
        position = position.play(move)
        state.apply_action(move)
    return position, state


if __name__ == "__main__":
    sys.exit(run("Search", measure))
