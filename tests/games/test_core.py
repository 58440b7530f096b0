"""Loading rulesets, describing them, positions by hand, outcomes, and the order in which a game ends."""

import pickle
import subprocess
import sys
from fractions import Fraction

import pytest

from arena import games
from arena.errors import IllegalMove, InvalidPosition, UnknownGame, UnknownOption

FULL_OWARE = [4] * 12


@pytest.mark.parametrize(("text", "canonical"), [
    ("oware", "oware"),
    ("oware:grand_slam=forfeit", "oware"),
    ("oware:grand_slam=win25,quiet_limit=500", "oware:grand_slam=win25"),
    ("urim:seeds=4,pits=7", "urim:pits=7,seeds=4"),
    (" Urim : seeds = 4 , PITS = 7 ", "urim:pits=7,seeds=4"),
    ("urim:seeds=3,pits=6,quiet_limit=500,grand_slam=forfeit", "urim"),
    ("anywoli:quiet_limit=007", "anywoli:quiet_limit=7"),
])
def test_load_answers_with_the_canonical_ruleset(text: str, canonical: str) -> None:
    assert games.load(text).ruleset == canonical
    assert games.load(text) == games.load(canonical)
    assert hash(games.load(text)) == hash(games.load(canonical))


@pytest.mark.parametrize("text", ["chess", "", ":", "oware2", "urim pits=7", None, 7, "x" * 10_000])
def test_load_refuses_unknown_games_and_lists_the_known(text: object) -> None:
    with pytest.raises(UnknownGame) as caught:
        games.load(text)  # type: ignore[arg-type]
    if isinstance(text, str):
        assert all(name in str(caught.value) for name in games.names())
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(("text", "listed"), [
    ("oware:pits=7", "grand_slam=forfeit|win25"),
    ("oware:", "grand_slam=forfeit|win25"),
    ("oware:grand_slam", "grand_slam=forfeit|win25"),
    ("oware:grand_slam=", "grand_slam=forfeit|win25"),
    ("oware:grand_slam=legal", "grand_slam=forfeit|win25"),
    ("urim:pits=8", "pits=6|7"),
    ("urim:pits=7,pits=7", "given twice"),
    ("urim:pits=7,", "pits=6|7"),
    ("urim:quiet_limit=0", "quiet_limit=1…500"),
    ("urim:quiet_limit=501", "quiet_limit=1…500"),
    ("urim:quiet_limit=-1", "quiet_limit=1…500"),
    ("urim:quiet_limit=1.0", "quiet_limit=1…500"),
    ("urim:quiet_limit=none", "quiet_limit=1…500"),
    ("urim:quiet_limit=" + "9" * 5000, "quiet_limit=1…500"),
    ("urim:quiet_limit=²", "quiet_limit=1…500"),
])
def test_load_refuses_unknown_options_and_lists_the_known(text: str, listed: str) -> None:
    with pytest.raises(UnknownOption) as caught:
        games.load(text)
    assert listed in str(caught.value)
    assert len(str(caught.value)) < 300


def test_rules_tell_their_name_title_and_all_options() -> None:
    rules = games.load("urim:pits=7")
    assert (rules.name, rules.title) == ("urim", "Urim")
    assert rules.options == {"pits": 7, "seeds": 3, "grand_slam": "forfeit", "quiet_limit": 500}
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert games.load("urim") != rules


def test_the_options_handed_out_do_not_change_the_rules() -> None:
    rules = games.load("urim")
    dict(rules.options)["pits"] = 7
    rules.options["pits"] = 7  # type: ignore[index]
    assert rules.options["pits"] == 6


@pytest.mark.parametrize("game", games.describe(), ids=lambda game: str(game["name"]))
def test_describe_names_what_load_takes(game: dict[str, object]) -> None:
    rules = games.load(str(game["name"]))
    assert game["title"] == rules.title
    options = game["options"]
    assert isinstance(options, list)
    assert {option["name"]: option["default"] for option in options} == rules.options
    for option in options:
        assert option["meaning"]
        if option["kind"] == "choice":
            assert option["default"] in option["choices"]
        elif option["kind"] != "boolean":
            assert option["minimum"] <= option["default"] <= option["maximum"]


@pytest.mark.parametrize("index", range(12))
def test_a_position_by_hand_is_the_one_played_to(index: int) -> None:
    rules = games.load("oware")
    game = games.Game(rules)
    for _ in range(index):
        game.push(game.legal_moves()[index % len(game.legal_moves())])
    position = game.position
    again = rules.position(pits=list(position.pits), stores=list(position.stores), to_move=position.to_move)
    assert again == position
    assert {again: "found"}[position] == "found"


@pytest.mark.parametrize(("ruleset", "pits", "stores", "to_move", "says"), [
    ("oware", [4] * 11, (0, 0), 0, "pits must be 12 whole numbers, not 11"),
    ("oware", [4] * 11 + [3], (0, 0), 0, "48 seeds, but pits and stores hold 47"),
    ("oware", [4] * 12, (1, 0), 0, "48 seeds, but pits and stores hold 49"),
    ("oware", [4] * 10 + [9, -1], (0, 0), 0, "-1 is none"),
    ("oware", [4] * 11 + [4.0], (0, 0), 0, "4.0 is none"),
    ("oware", [4] * 11 + [True], (3, 0), 0, "True is none"),
    ("oware", FULL_OWARE, (0, 0, 0), 0, "stores must be 2 whole numbers, not 3"),
    ("oware", FULL_OWARE, (5, -5), 0, "-5 is none"),
    ("oware", FULL_OWARE, (0, 0), 2, "to_move must be 0 (South) or 1 (North), not 2"),
    ("oware", FULL_OWARE, (0, 0), True, "to_move must be 0 (South) or 1 (North), not True"),
    ("oware", FULL_OWARE, 7, 0, "stores must be a list of 2 whole numbers, not 7"),
    ("oware", None, (0, 0), 0, "pits must be a list of 12 whole numbers, not None"),
    ("urim", [18] + [0] * 11, (9, 9), 0, "at most 17 seeds, not 18"),
    ("urim:pits=7", [3] * 12, (0, 0), 0, "pits must be 14 whole numbers, not 12"),
    ("anywoli", [4] * 24, (4, 0), 0, "96 seeds, but pits and stores hold 100"),
])
def test_a_board_that_cannot_be_is_refused(
    ruleset: str, pits: list[int], stores: tuple[int, int], to_move: int, says: str
) -> None:
    with pytest.raises(InvalidPosition) as caught:
        games.load(ruleset).position(pits, stores, to_move)
    assert says in str(caught.value)


def test_stores_left_out_are_empty() -> None:
    assert games.load("oware").position(FULL_OWARE) == games.load("oware").initial()


def test_a_full_pit_of_urim_is_allowed() -> None:
    assert games.load("urim").position([17] + [1] * 11, (4, 4), 1).pits[0] == 17


def test_anywoli_passes_for_a_side_without_seeds() -> None:
    """A4: a position in which South cannot move is North's."""
    position = games.load("anywoli").position([0] * 12 + [8] + [0] * 11, (44, 44), games.SOUTH)
    assert position.to_move == games.NORTH
    assert position.legal_moves() == (0,)


def test_positions_differ_by_ruleset_side_stores_and_pits() -> None:
    rules = games.load("oware")
    positions = [
        rules.position(FULL_OWARE), rules.position(FULL_OWARE, (0, 0), 1), rules.initial().play(0),
        rules.position([0] * 12, (24, 24)), rules.position([0] * 12, (23, 25)),
        games.load("oware:grand_slam=win25").initial(),
    ]
    assert len(set(positions)) == len(positions)
    assert positions[0] != FULL_OWARE


@pytest.mark.parametrize("name", ["pits", "stores", "to_move", "hand", "rules", "legal_moves", "note"])
def test_positions_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(games.load("oware").initial(), name, 1)


def test_an_illegal_move_names_itself_and_the_legal_ones() -> None:
    with pytest.raises(IllegalMove, match="move 6 is illegal here; legal are 0, 1, 2, 3, 4, 5"):
        games.load("oware").initial().play(6)


def test_no_move_is_legal_in_a_finished_position() -> None:
    over = games.load("oware").position([0] * 11 + [3], (25, 20), 1)
    assert over.legal_moves() == ()
    for act in (over.play, over.trace):
        with pytest.raises(IllegalMove, match="the game is over"):
            act(5)
    game = games.Game(over.rules, over)
    assert game.outcome() == over.outcome()
    with pytest.raises(IllegalMove, match=r"the game is over \(majority\)"):
        game.push(5)
    assert game.moves == ()


def test_an_outcome_is_a_value_with_exact_points() -> None:
    draw = games.load("oware").position([0] * 12, (24, 24)).outcome()
    half = Fraction(1, 2)
    assert draw == games.Outcome(None, "no_moves", (24, 24), (half, half))
    assert hash(draw) == hash(games.Outcome(None, "no_moves", (24, 24), (half, half)))
    assert draw != games.Outcome(0, "no_moves", (24, 24), (half, half))
    assert draw is not None
    assert draw.points == (half, half)
    assert repr(draw) == "Outcome(winner=None, ending='no_moves', seeds=(24, 24), points=(1/2, 1/2))"


def test_settlement_leaves_the_last_board_alone() -> None:
    position = games.load("oware").position([1, 1] + [0] * 10, (23, 23), 0)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.seeds == (25, 23)
    assert position.stores == (23, 23)


def test_a_game_is_one_of_its_own_rules() -> None:
    with pytest.raises(InvalidPosition, match="the position is one of oware, the game is urim"):
        games.Game(games.load("urim"), games.load("oware").initial())


def test_the_first_position_counts_as_an_occurrence_and_a_copy_remembers_it() -> None:
    rules = games.load("oware")
    game = games.Game(rules, rules.position([1, 0, 0, 0, 0, 0] * 2, (23, 23)))
    for move in (0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5):
        game.push(move)
    twin = game.copy()
    for each in (game, twin):
        each.push(5)
        outcome = each.outcome()
        assert outcome is not None
        assert outcome.ending == "repetition"
        assert each.position.outcome() is None, "the board alone knows nothing of it"


def test_the_board_ends_the_game_before_the_quiet_limit_does() -> None:
    rules = games.load("oware:quiet_limit=1")
    game = games.Game(rules, rules.position([0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0], (22, 23)))
    game.push(5)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.ending == "no_moves"


def test_repetition_ends_the_game_before_the_quiet_limit_does() -> None:
    rules = games.load("oware:quiet_limit=12")
    game = games.Game(rules, rules.position([1, 0, 0, 0, 0, 0] * 2, (23, 23)))
    for pit in range(6):
        game.push(pit)
        game.push(pit)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.ending == "repetition"


def test_turns_are_counted_and_a_further_move_is_a_turn() -> None:
    rules = games.load("anywoli")
    pits = [4, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0] + [0] * 8 + [8, 0, 0, 0]
    game = games.Game(rules, rules.position(pits, (40, 40)))
    game.push(5)
    assert (game.position.to_move, game.turns) == (games.SOUTH, 1)
    game.push(0)
    assert (game.position.to_move, game.turns) == (games.NORTH, 2)


def test_the_trace_shows_the_last_four_leave_the_hand() -> None:
    """A10: North's four ends the game while one seed is still in South's hand."""
    position = games.load("anywoli").position([0] * 11 + [2, 3, 3] + [0] * 10, (44, 44))
    assert [(step.kind, step.pit, step.seeds, step.side) for step in position.trace(11)] == [
        ("lift", 11, 2, games.SOUTH), ("drop", 12, 1, games.SOUTH), ("capture", 12, 4, games.NORTH),
        ("capture", 13, 3, games.NORTH), ("capture", games.HAND, 1, games.NORTH),
    ]


def test_importing_the_games_brings_in_nothing_heavy() -> None:
    heavy = {"typing", "dataclasses", "re", "fractions", "decimal", "json", "random", "inspect", "enum"}
    code = "import sys; import arena.games; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True).stdout
    assert heavy.isdisjoint(loaded.split())
