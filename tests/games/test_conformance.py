"""What every registered game owes its users, shown on random games of a sample of its rulesets."""

import copy
import itertools
import pickle
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena import games
from arena.errors import IllegalMove
from arena.games import notation
from tests.games.material import rulesets

RULESETS = rulesets()
LONGEST = 400                   # moves of a random game looked at; ends are the subject of one test only

NOT_MOVES = [None, True, False, 0.0, 1.0, "0", [0], (0,), 10**5000, -(10**5000)]

playing = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def play_randomly(ruleset: str, seed: int, most: int = LONGEST) -> list[games.Position]:
    """The positions of a random game, the first and the last included."""
    chance = random.Random(seed)
    game = games.Game(games.load(ruleset))
    positions = [game.position]
    while game.outcome() is None and len(positions) <= most:
        game.push(chance.choice(game.legal_moves()))
        positions.append(game.position)
    return positions


def seeds_in(position: games.Position) -> int:
    return sum(position.pits) + sum(position.stores) + position.hand


def is_arranging(position: games.Position) -> bool:
    """While players place their seeds, those not yet placed are nowhere."""
    return position.rules.is_set_up(position.turn_start)


@pytest.mark.parametrize("ruleset", RULESETS)
@playing
@given(seed=st.integers(0, 2**32))
def test_seeds_are_conserved(ruleset: str, seed: int) -> None:
    counts = {seeds_in(position) for position in play_randomly(ruleset, seed) if not is_arranging(position)}
    assert len(counts) <= 1


@pytest.mark.parametrize("ruleset", RULESETS)
@playing
@given(seed=st.integers(0, 2**32))
def test_play_is_pure(ruleset: str, seed: int) -> None:
    for position in play_randomly(ruleset, seed)[:-1]:
        before = notation.position_text(position)
        for move in position.legal_moves():
            assert position.play(move) == position.play(move)
        assert notation.position_text(position) == before


@pytest.mark.parametrize("ruleset", RULESETS)
@playing
@given(seed=st.integers(0, 2**32))
def test_positions_are_values(ruleset: str, seed: int) -> None:
    positions = play_randomly(ruleset, seed, most=60)
    for position, after in itertools.pairwise(positions):
        twin = pickle.loads(pickle.dumps(position))
        assert twin == position
        assert hash(twin) == hash(position)
        assert copy.deepcopy(position) == position
        assert twin.legal_moves() == position.legal_moves()
        assert twin.outcome() == position.outcome()
        assert after != position


@pytest.mark.parametrize("ruleset", RULESETS)
@playing
@given(seed=st.integers(0, 2**32))
def test_notation_reads_back_what_it_wrote(ruleset: str, seed: int) -> None:
    positions = play_randomly(ruleset, seed, most=60)
    for position in positions:
        assert notation.parse_position(notation.position_text(position)) == position
    for start, moves in turns_of(ruleset, seed):
        text = notation.turn_text(start, moves)
        again = notation.parse_turn(start, text)
        assert notation.turn_text(start, again) == text
        assert play_all(start, again) == play_all(start, moves)


def turns_of(ruleset: str, seed: int) -> list[tuple[games.Position, tuple[int, ...]]]:
    """The complete turns of a random game: the position before each, and its moves."""
    chance = random.Random(seed)
    game = games.Game(games.load(ruleset))
    turns: list[tuple[games.Position, tuple[int, ...]]] = []
    while game.outcome() is None and game.turns < 60:
        start, done, before = game.position, len(game.moves), game.turns
        while game.turns == before:
            game.push(chance.choice(game.legal_moves()))
        turns.append((start, game.moves[done:]))
    return turns


def play_all(position: games.Position, moves: tuple[int, ...]) -> games.Position:
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize("ruleset", RULESETS)
@playing
@given(seed=st.integers(0, 2**32))
def test_legal_moves_are_ascending_and_complete(ruleset: str, seed: int) -> None:
    for position in play_randomly(ruleset, seed, most=15):
        legal = position.legal_moves()
        assert list(legal) == sorted(set(legal))
        assert (legal == ()) == (position.outcome() is not None)
        for move in set(range(-2, 5 * len(position.pits) + 2)) - set(legal):
            with pytest.raises(IllegalMove, match=f"move {move} is illegal"):
                position.play(move)


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("move", NOT_MOVES, ids=[type(move).__name__ for move in NOT_MOVES])
def test_a_move_must_be_an_int(ruleset: str, move: object) -> None:
    position = games.load(ruleset).initial()
    game = games.Game(position.rules)
    with pytest.raises(IllegalMove, match="legal are"):
        position.play(move)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove, match="legal are"):
        game.push(move)  # type: ignore[arg-type]
    assert game.moves == ()


@pytest.mark.parametrize("ruleset", RULESETS)
@playing
@given(seed=st.integers(0, 2**32))
def test_trace_tells_what_play_does(ruleset: str, seed: int) -> None:
    """The steps, carried out on the board before, take as much from it and give as much to it as the move did."""
    positions = play_randomly(ruleset, seed, most=60)
    for position in positions[:-1]:
        for move in position.legal_moves():
            check_trace(position, position.play(move), position.trace(move))


def check_trace(before: games.Position, after: games.Position, steps: tuple[games.Step, ...]) -> None:
    if after.ending == "never_ending" or is_arranging(before):
        return                      # the board goes back to where it was; nothing is lifted
    pits = list(before.pits)
    hand = before.hand
    for step in steps:
        assert step.seeds > 0
        if step.kind == "drop":
            pits[step.pit] += step.seeds
            hand -= step.seeds
        elif step.pit == games.HAND:
            hand -= step.seeds
        else:
            pits[step.pit] -= step.seeds
            hand += step.seeds if step.kind == "lift" else 0
        assert min(pits) >= 0
    assert tuple(pits) == after.pits


@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_end(ruleset: str) -> None:
    for seed in range(5):
        chance = random.Random(seed)
        game = games.Game(games.load(ruleset))
        while (outcome := game.outcome()) is None:
            assert len(game.moves) < 100_000
            game.push(chance.choice(game.legal_moves()))
        assert game.legal_moves() == ()
        assert sum(outcome.seeds) <= seeds_in(game.position)
        assert outcome.winner in (games.SOUTH, games.NORTH, None)
        with pytest.raises(IllegalMove, match=f"the game is over \\({outcome.ending}\\)"):
            game.push(0)
        assert pickle.loads(pickle.dumps(game)).outcome() == outcome
        assert pickle.loads(pickle.dumps(outcome)) == outcome


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_copied_game_goes_its_own_way(ruleset: str) -> None:
    chance = random.Random(7)
    game = games.Game(games.load(ruleset))
    for _ in range(12):
        if game.outcome() is None:
            game.push(chance.choice(game.legal_moves()))
    moves, position, turns = game.moves, game.position, game.turns
    twin = game.copy()
    assert (twin.moves, twin.position, twin.turns) == (moves, position, turns)
    while twin.outcome() is None:
        twin.push(chance.choice(twin.legal_moves()))
    assert (game.moves, game.position, game.turns) == (moves, position, turns)
    for move in twin.moves[len(moves):]:
        game.push(move)
    assert game.outcome() == twin.outcome()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_board_shows_every_pit_once(ruleset: str) -> None:
    position = play_randomly(ruleset, 3, most=9)[-1]
    numbers = [int(word) for word in notation.board(position).split() if word.isdigit()]
    expected = sorted([*position.pits, *position.stores, *([position.hand] if position.hand else [])])
    assert sorted(numbers) == expected


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_spelling_gives_the_canonical_ruleset(ruleset: str) -> None:
    rules = games.load(ruleset)
    assert rules.ruleset == ruleset, "write the sample canonically"
    spelled = ",".join(f"{name}={spell(value)}" for name, value in reversed(rules.options.items()))
    assert games.load(f"{rules.name}:{spelled}") == rules
    assert games.load(f"{rules.name}:{spelled}").ruleset == ruleset


def spell(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)
