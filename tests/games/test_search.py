"""The search finds what trying everything finds, in every game, and keeps to its budget."""

import itertools
import random
import sys

import pytest

from arena import games
from arena.games import search
from tests.games.material import rulesets

DEPTHS = {"omweso": 3, "nsolo": 2}              # others 4: so deep a plain search is quick enough


def plain_value(position: games.Position, depth: int, ply: int = 0) -> int:
    """Minimax, each position new, no cuts, nothing remembered."""
    side = position.to_move
    outcome = position.outcome()
    if outcome is not None:
        value = (outcome.half_points[side] - outcome.half_points[1 - side]) * search.HALF_POINT
        return value - ply if value > 0 else value + ply if value < 0 else 0
    if depth == 0:
        return plain_lead(position)
    values = []
    for move in position.legal_moves():
        after = position.play(move)
        value = plain_value(after, depth - 1, ply + 1)
        values.append(value if after.to_move == side else -value)
    return max(values)


def plain_lead(position: games.Position) -> int:
    side, other = position.to_move, games.opponent_of(position.to_move)
    lead = 4 * (position.stores[side] - position.stores[other])
    lead += position.seeds_of(side) + position.hand - position.seeds_of(other)
    return lead + 5 * position.facts[0] if position.rules.name == "nsolo" else lead


def somewhere(ruleset: str, seed: int, moves: int = 30) -> games.Position:
    """A position of a random game that is not over."""
    chance = random.Random(seed)
    position = games.load(ruleset).initial()
    for _ in range(chance.randint(0, moves)):
        after = position.play(chance.choice(position.legal_moves()))
        if after.outcome() is not None:
            break
        position = after
    return position


@pytest.mark.parametrize("ruleset", rulesets())
def test_the_search_finds_the_value_of_trying_everything(ruleset: str) -> None:
    for seed in range(6):
        position = somewhere(ruleset, seed)
        deepest = 1 if position.rules.is_set_up(position) else DEPTHS.get(position.rules.name, 4)
        remembering, forgetful = search.Search(), search.Search(entries=0)
        for depth in range(1, deepest + 1):
            expected = plain_value(position, depth)
            found = remembering.best(position, depth=depth)
            assert found.value == forgetful.best(position, depth=depth).value == expected
            after = position.play(found.move)
            value = plain_value(after, depth - 1, 1)
            assert (value if after.to_move == position.to_move else -value) == expected


@pytest.mark.parametrize("game", games.names())
def test_what_is_remembered_changes_no_value(game: str) -> None:
    """One small memory through a whole game, its entries thrown out all the time, against none."""
    crowded = search.Search(entries=64)
    position = somewhere(game, 2)
    for _ in range(8):
        depth = 3 if game == "nsolo" else 5
        found = crowded.best(position, depth=depth)
        assert found.value == search.Search(entries=0).best(position, depth=depth).value
        position = position.play(found.move)
        if position.outcome() is not None:
            break


def test_memory_saves_work() -> None:
    position = games.load("oware").initial()
    with_memory = search.best(position, depth=9)
    without = search.Search(entries=0).best(position, depth=9)
    assert with_memory.value == without.value
    assert with_memory.nodes < 0.8 * without.nodes


def test_a_search_serves_several_rulesets_in_turn() -> None:
    one = search.Search()
    for ruleset in ("oware", "urim", "oware:grand_slam=win25", "oware"):
        position = games.load(ruleset).initial()
        assert one.best(position, depth=6).value == search.best(position, depth=6).value


def test_own_evaluation_is_asked_from_the_side_to_move() -> None:
    """Whoever wants many seeds in his own last pit brings them there."""
    asked: list[games.Position] = []

    def last_pit(position: games.Position) -> int:
        asked.append(position)
        return position.pits_of(position.to_move)[5] - position.pits_of(1 - position.to_move)[5]

    position = games.load("oware").initial()
    found = search.Search(last_pit).best(position, depth=1)
    assert found.value == 5 - 4
    assert {each.to_move for each in asked} == {games.NORTH}
    assert len(set(asked)) == 6, "positions handed out stay as they were"


def test_an_error_of_the_evaluation_comes_through() -> None:
    def fails(position: games.Position) -> int:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        search.Search(fails).best(games.load("oware").initial(), depth=2)


def test_a_win_is_taken_soon() -> None:
    rules = games.load("oware")
    winning = rules.position([0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 3], (23, 19))
    found = search.best(winning, depth=5)
    assert (found.move, found.value) == (5, 2 * search.HALF_POINT - 1)


def test_points_are_what_counts_at_the_end() -> None:
    """Omweso: a win by akawumbi is twelve points, so it is preferred to one of two."""
    values = {
        search._worth(games.Outcome(0, "akawumbi", (64, 0), (12, 0)), 0, 1),
        -search._worth(games.Outcome(0, "akawumbi", (64, 0), (12, 0)), 1, 1),
    }
    assert values == {24 * search.HALF_POINT - 1}
    assert search._worth(games.Outcome(None, "never_ending", (32, 32), (0, 0)), 1, 5) == 0


def test_a_search_to_the_end_of_the_game_stops_there() -> None:
    position = games.load("oware").position([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], (23, 24))
    found = search.best(position, nodes=10**9)
    assert found.depth < search.DEEPEST


def test_nodes_are_counted_and_kept_to() -> None:
    position = games.load("urim").initial()
    for budget in (10, 100, 12_345):
        found = search.best(position, nodes=budget)
        assert found.nodes <= budget + 1
    assert search.best(position, nodes=0).depth == 1, "one decision is always looked ahead"
    assert search.best(position, nodes=100_000).depth > search.best(position, nodes=1_000).depth > 1


def test_seconds_are_counted_by_the_clock_that_is_given() -> None:
    ticks = itertools.count()
    found = search.best(games.load("anywoli").initial(), seconds=20, clock=lambda: float(next(ticks)))
    assert found.nodes // 64 in (20, 21)


@pytest.mark.parametrize("budget", [{}, {"seconds": 1.0}])
def test_a_search_needs_a_budget(budget: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="clock="):
        search.best(games.load("oware").initial(), **budget)  # type: ignore[arg-type]


def test_a_game_that_is_over_has_no_best_move() -> None:
    over = games.load("oware").position([0] * 12, (24, 24))
    with pytest.raises(ValueError, match="over"):
        search.best(over, depth=1)


def test_the_line_begins_with_the_move_and_can_be_played() -> None:
    for game in games.names():
        position = somewhere(game, 1)
        found = search.best(position, depth=3)
        assert found.line[0] == found.move
        for move in found.line:
            position = position.play(move)


def test_a_move_that_ends_the_game_by_repetition_is_known() -> None:
    """Both sides go round with one seed each; the move that completes the round ends the game as it stands."""
    rules = games.load("oware")
    game = games.Game(rules, rules.position([1, 0, 0, 0, 0, 0] * 2, (22, 24)))
    for move in (0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5):
        game.push(move)
    assert game.legal_moves() == (5,)
    assert search.best(game, depth=1).value == 2 * search.HALF_POINT - 1
    assert abs(search.best(game.position, depth=1).value) < search.HALF_POINT


def test_positions_of_one_key_are_the_same() -> None:
    keys: dict[tuple[str, int], games.Position] = {}
    for ruleset in ("oware", "anywoli", "omweso", "nsolo", "omweso:setup=free"):
        chance = random.Random(ruleset)
        for _ in range(15):
            position = games.load(ruleset).initial()
            for _ in range(150):
                assert keys.setdefault((ruleset, position.board.key()), position) == position
                if not position.legal_moves():
                    break
                position = position.play(chance.choice(position.legal_moves()))
    assert len(keys) > 5_000
    assert all(0 <= key <= sys.maxsize for _, key in keys)
