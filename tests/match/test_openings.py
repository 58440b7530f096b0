import hmac
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import games
from arena.errors import Invalid
from arena.games import Game
from arena.match.format import Due
from arena.match.openings import (
    MAX_OPENING_PLIES,
    bot_seed,
    check_opening_plies,
    derive,
    draw_opening,
    is_seed,
    match_seed,
    parse_seed,
)

SEED = "00" * 32
FIRST_PAIR = Due(south=0, pair=0, variant=0)
PINNED = """
from arena import games
from arena.match.format import Due
from arena.match.openings import draw_opening
game = games.Game(games.load("oware"))
print([draw_opening(game, "00" * 32, Due(0, pair, variant), 6) for pair in range(3) for variant in (0, 1)])
"""


def opening(ruleset: str, seed: str, due: Due = FIRST_PAIR, plies: int = 4) -> tuple[int, ...]:
    return draw_opening(Game(games.load(ruleset)), seed, due, plies)


def test_a_seed_derives_by_hmac_sha256() -> None:
    # RFC 4231, test case 2: key "Jefe"
    expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert derive(b"Jefe".hex(), "what do ya want for nothing?").hex() == expected


def test_every_use_of_a_seed_has_its_own() -> None:
    derived = [match_seed(SEED, 0), match_seed(SEED, 1), bot_seed(SEED, 0).hex(), bot_seed(SEED, 1).hex()]
    assert len({SEED, *derived}) == 5
    assert all(is_seed(each) for each in derived)
    assert bot_seed(SEED, 1) == derive(SEED, "bot/1")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_gives_a_seed(text: str) -> None:
    assert is_seed(parse_seed(text))
    assert parse_seed(parse_seed(text)) == parse_seed(text)


@pytest.mark.parametrize("text", ["", "00", "0" * 63, "0" * 65, "F" * 64, "g" * 64, "0" * 64 + "\n"])
def test_no_other_text_is_a_seed(text: str) -> None:
    assert not is_seed(text)


def test_an_opening_is_the_same_in_every_process() -> None:
    here = [opening("oware", SEED, Due(0, pair, variant), 6) for pair in range(3) for variant in (0, 1)]
    for hash_seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-c", PINNED], capture_output=True, text=True, check=True, env=environment
        )
        assert run.stdout.strip() == str(here)


def test_an_opening_never_changes() -> None:
    """Old records are replayed for ever; here the drawing is written out once more, with nothing but HMAC."""
    key = hmac.digest(bytes(32), b"opening/0/0", "sha256")
    game = Game(games.load("oware"))
    for k in range(4):
        legal = game.legal_moves()
        game.push(legal[int.from_bytes(hmac.digest(key, str(k).encode(), "sha256"), "big") % len(legal)])
    assert opening("oware", SEED) == game.moves == (3, 1, 2, 4)


def test_both_seats_of_a_pair_begin_alike() -> None:
    assert opening("oware", SEED, Due(0, 5, 0)) == opening("oware", SEED, Due(1, 5, 0))


def test_pairs_and_replays_begin_differently() -> None:
    drawn = {opening("oware", SEED, Due(0, pair, variant), 8) for pair in range(10) for variant in range(4)}
    assert len(drawn) == 40


@pytest.mark.parametrize("ruleset", games.names())
@pytest.mark.parametrize("plies", [0, 1, 4, MAX_OPENING_PLIES])
def test_an_opening_is_legal_whole_turns_and_goes_on(ruleset: str, plies: int) -> None:
    for number in range(10):
        game = Game(games.load(ruleset))
        for move in opening(ruleset, SEED, Due(0, number, 0), plies):
            game.push(move)
        assert game.turns == plies
        assert game.outcome() is None
        assert not game.position.is_mid_turn()


def test_drawing_leaves_the_game_alone() -> None:
    game = Game(games.load("oware"))
    draw_opening(game, SEED, FIRST_PAIR, 4)
    assert game.moves == ()


def test_an_opening_that_ends_the_game_is_drawn_anew() -> None:
    """Where four quiet moves end the game, many openings of 8 turns would; those drawn do not."""
    for number in range(20):
        game = Game(games.load("oware:quiet_limit=4"))
        for move in draw_opening(game, SEED, Due(0, number, 0), 8):
            game.push(move)
        assert game.outcome() is None


def test_an_opening_gets_shorter_where_every_one_ends_the_game() -> None:
    assert len(opening("oware:quiet_limit=3", SEED, FIRST_PAIR, 20)) == 2
    assert opening("oware:quiet_limit=1", SEED, FIRST_PAIR, 20) == ()


@pytest.mark.parametrize("plies", [-1, MAX_OPENING_PLIES + 1])
def test_an_opening_has_a_sane_length(plies: int) -> None:
    with pytest.raises(Invalid, match=str(plies)):
        check_opening_plies(plies)
