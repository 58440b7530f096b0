from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import games
from arena.errors import UnknownFormat, UnknownGame
from arena.match.format import (
    MAX_GAMES,
    Due,
    GameResult,
    counted,
    default_format,
    due,
    format_names,
    is_decided,
    loser_by_forfeit,
    parse_format,
    points_of,
    winner_of,
)

WIN = {0: (Fraction(1), Fraction(0)), 1: (Fraction(0), Fraction(1)), None: (Fraction(1, 2), Fraction(1, 2))}
ANNULLED = GameResult(None, is_annulled=True)


def won(*winners: int | None) -> list[GameResult]:
    return [GameResult(winner, WIN[winner]) for winner in winners]


def worth(*points: tuple[int, int]) -> list[GameResult]:
    return [
        GameResult(None if first == second else int(second > first), (Fraction(first), Fraction(second)))
        for first, second in points
    ]


def forfeited(*seats: int | None) -> list[GameResult]:
    return [GameResult(None if seat is None else 1 - seat, WIN[None], forfeited_by=seat) for seat in seats]


DRAW = None
DECIDED = [         # the rule, the format, the winners of its games, and for whom the last of them decides
    ("M1 three ahead", "antigua", [0, 0, 0], 0),
    ("M1 three ahead later", "antigua", [0, 1, 0, 0, 0], 0),
    ("M1 six wins", "antigua", [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1], 1),
    ("M1 six wins, draws change nothing", "antigua", [0, 1, DRAW, 0, 1, 0, 1, 0, 1, 0, 1, DRAW, 0], 0),
    ("M2 nothing left to play for", "best-of-5", [0, 0, 0], 0),
    ("M2 the fifth game", "best-of-5", [0, 1, 0, 1, 1], 1),
    ("M2 one win and draws", "best-of-5", [0, DRAW, DRAW, DRAW, DRAW], 0),
    ("M2 two ahead with one left", "best-of-5", [0, 0, DRAW, DRAW], 0),
    ("M2 a tie", "best-of-5", [0, 1, 0, 1, DRAW], None),
    ("M3 two of three", "best-of-3", [1, 1], 1),
    ("M3 the last decides", "best-of-3", [DRAW, DRAW, 1], 1),
    ("M3 a tie", "best-of-3", [DRAW, 0, 1], None),
    ("M4 in a row", "yoruba", [1, 1, 0, 0, 0], 0),
    ("M4 the one behind wins", "yoruba", [0, 0, 1, 0, 0, 1, 1, 1], 1),
    ("M5 five wins", "kumasi", [0, 1, 0, 1, 0, 1, 0, 1, 0], 0),
]
UNDECIDED = [
    ("M1 two ahead", "antigua", [0, 0, DRAW]),
    ("M3 one ahead with one left", "best-of-3", [1, 0]),
    ("M3 one win, one draw", "best-of-3", [0, DRAW]),
    ("M4 a draw breaks the run", "yoruba", [0, 0, DRAW, 0]),
    ("M4 three draws are no run", "yoruba", [DRAW, DRAW, DRAW]),
    ("M5 four wins", "kumasi", [0, 0, 0, 0]),
]


@pytest.mark.parametrize(("rule", "name", "winners", "winner"), DECIDED, ids=[case[0] for case in DECIDED])
def test_a_format_is_decided_by_its_last_game(rule: str, name: str, winners: list[int | None], winner: int) -> None:
    form = parse_format(name)
    assert not any(is_decided(form, won(*winners[:games])) for games in range(len(winners)))
    assert is_decided(form, won(*winners))
    assert winner_of(form, won(*winners)) == winner


@pytest.mark.parametrize(("rule", "name", "winners"), UNDECIDED, ids=[case[0] for case in UNDECIDED])
def test_a_format_goes_on(rule: str, name: str, winners: list[int | None]) -> None:
    assert not is_decided(parse_format(name), won(*winners))


def test_points_are_played_to_the_target() -> None:
    form = parse_format("points-12")
    games = [(1, 0), (0, 2), (1, 0), (0, 2), (0, 2), (0, 2), (0, 2), (2, 0), (0, 1)]
    assert not is_decided(form, worth(*games))          # 4:11
    assert is_decided(form, worth(*games, (0, 1)))
    assert winner_of(form, worth(*games, (0, 1))) == 1


def test_an_akawumbi_wins_the_match_at_once() -> None:
    assert is_decided(parse_format("points-12"), worth((0, 2), (12, 0)))
    assert winner_of(parse_format("points-12"), worth((0, 2), (12, 0))) == 0


def test_a_target_reached_by_both_at_once_is_a_tie() -> None:
    form, draws = parse_format("points-1"), won(DRAW, DRAW)
    assert is_decided(form, draws)
    assert winner_of(form, draws) is None


@pytest.mark.parametrize("number", [1, 2, 7, 1000])
def test_games_n_are_exactly_n_games(number: int) -> None:
    form = parse_format(f"games-{number}")
    assert not is_decided(form, won(*[0] * (number - 1)))
    assert is_decided(form, won(*[0] * number))


def test_the_sum_of_points_decides_games_n_and_not_the_wins() -> None:
    form, games = parse_format("games-3"), worth((12, 0), (0, 1), (0, 1))
    assert points_of(games) == (Fraction(12), Fraction(2))
    assert winner_of(form, games) == 0


@pytest.mark.parametrize("name", ["antigua", "yoruba", "kumasi", "points-100"])
def test_an_open_ended_match_stops_after_sixty_games(name: str) -> None:
    form, winners = parse_format(name), [DRAW, 0, 1] * 20
    if name in ("antigua", "kumasi"):
        winners = [DRAW] * 57 + [0, 1, 1]
    assert not is_decided(form, won(*winners[:59]))
    assert is_decided(form, won(*winners))
    assert winner_of(form, won(*winners)) == (1 if name in ("antigua", "kumasi") else None)


def test_replays_count_towards_the_sixty() -> None:
    results = [ANNULLED, *won(0, 1)] * 20
    assert not is_decided(parse_format("points-100"), results[:59])
    assert is_decided(parse_format("points-100"), results)


def test_replays_do_not_use_up_a_series() -> None:
    form = parse_format("games-2")
    assert not is_decided(form, [ANNULLED, *won(0), ANNULLED, ANNULLED])
    assert is_decided(form, [ANNULLED, *won(0), ANNULLED, ANNULLED, *won(0)])


def test_south_alternates_and_two_games_share_an_opening() -> None:
    assert [due(won(*[0] * games)) for games in range(4)] == [Due(0, 0, 0), Due(1, 0, 0), Due(0, 1, 0), Due(1, 1, 0)]


def test_an_annulled_game_is_replayed_with_the_same_south_and_a_new_opening() -> None:
    assert [due([ANNULLED] * games) for games in range(4)] == [Due(0, 0, variant) for variant in range(4)]


def test_after_three_replays_the_starter_changes() -> None:
    results = [ANNULLED] * 4
    assert due(results) == Due(1, 0, 3)
    assert counted(results) == [ANNULLED]


def test_the_second_game_of_a_pair_takes_the_opening_of_the_game_that_counted() -> None:
    assert due([ANNULLED, *won(0)]) == Due(1, 0, 1)
    assert due([ANNULLED, *won(0), ANNULLED]) == Due(1, 0, 2)
    assert due([ANNULLED, *won(0), ANNULLED, *won(1)]) == Due(0, 1, 0)


@given(st.lists(st.sampled_from([ANNULLED, *won(0, 1, DRAW)]), max_size=80))
def test_south_changes_exactly_when_a_game_counts(results: list[GameResult]) -> None:
    assert due(results).south == len(counted(results)) % 2
    assert len(counted(results)) <= len(results) <= 4 * len(counted(results)) + 3
    assert points_of(counted(results)) == points_of(results)


def test_a_given_up_game_breaks_a_run() -> None:
    form = parse_format("yoruba")
    assert not is_decided(form, [*won(0, 0), *[ANNULLED] * 4, *won(0)])
    assert is_decided(form, [*won(0, 0), *[ANNULLED] * 3, *won(0)])


@pytest.mark.parametrize("seat", [0, 1])
def test_three_forfeits_in_a_row_lose_the_match(seat: int) -> None:
    form = parse_format("games-10")
    results = [*won(seat, seat), *forfeited(seat, seat, seat)]
    assert not is_decided(form, results[:-1])
    assert is_decided(form, results)
    assert winner_of(form, results) == 1 - seat


@pytest.mark.parametrize("between", [forfeited(1), won(0), [ANNULLED]])
def test_forfeits_that_are_not_in_a_row_lose_no_match(between: list[GameResult]) -> None:
    assert loser_by_forfeit([*forfeited(0, 0), *between, *forfeited(0)]) is None


@pytest.mark.parametrize("seat", [0, 1])
def test_a_fatal_forfeit_loses_the_match_whatever_the_score(seat: int) -> None:
    form = parse_format("points-12")
    results = [*won(seat), GameResult(1 - seat, WIN[1 - seat], forfeited_by=seat, is_fatal=True)]
    assert is_decided(form, results)
    assert winner_of(form, results) == 1 - seat


@pytest.mark.parametrize("name", ["antigua", "best-of-5", "best-of-3", "yoruba", "kumasi", "points-12", "games-2"])
def test_every_format_treats_the_seats_alike(name: str) -> None:
    form = parse_format(name)
    for winners in product((0, 1, DRAW), repeat=6):
        mirrored = [None if winner is None else 1 - winner for winner in winners]
        assert is_decided(form, won(*winners)) == is_decided(form, won(*mirrored))
        lead, mirrored_lead = winner_of(form, won(*winners)), winner_of(form, won(*mirrored))
        assert lead == (None if mirrored_lead is None else 1 - mirrored_lead)


@given(st.sampled_from(["antigua", "best-of-5", "yoruba", "kumasi", "points-100", "points-3", "games-7"]),
       st.lists(st.sampled_from([ANNULLED, *won(0, 1, DRAW)]), min_size=300, max_size=300))
def test_every_match_ends(name: str, results: list[GameResult]) -> None:
    form = parse_format(name)
    length = next(games for games in range(301) if is_decided(form, results[:games]))
    assert length <= (MAX_GAMES if form.is_open_ended else 4 * form.target)


@pytest.mark.parametrize(
    ("game", "name"),
    [("oware", "best-of-5"), ("omweso", "points-12"), ("urim", "games-4"), ("anywoli", "games-2"),
     ("nsolo", "games-2")],
)
def test_a_game_has_its_usual_format(game: str, name: str) -> None:
    assert default_format(game) == name


def test_every_registered_game_has_a_format() -> None:
    assert all(parse_format(default_format(game)) for game in games.names())


def test_no_other_game_has_a_format() -> None:
    with pytest.raises(UnknownGame, match="oware"):
        default_format("chess")


@pytest.mark.parametrize(
    ("name", "title"),
    [("antigua", "6 wins or 3 ahead"), ("yoruba", "3 wins in a row"), ("points-1", "first to 1 point"),
     ("games-1", "1 game, most points"), ("games-4", "4 games, most points"), ("best-of-5", "best of 5 games")],
)
def test_a_format_has_a_title_in_words(name: str, title: str) -> None:
    assert parse_format(name).title == title
    assert parse_format(name).name == name


@pytest.mark.parametrize(
    "text",
    ["", "best-of-7", "Antigua", "points", "points-", "points-0", "points-101", "games-0", "games-1001", "games--1",
     "games-01", "games-1.5", "points-N", "games-٣", "games-2 ", "games-" + "9" * 5000],
)
def test_no_other_text_is_a_format(text: str) -> None:
    with pytest.raises(UnknownFormat) as refusal:
        parse_format(text, game="omweso")
    assert all(name in str(refusal.value) for name in format_names())
    assert "omweso is usually played as points-12" in str(refusal.value)
