"""Omweso and Nsolo beyond their cases: positions given by hand, traces, texts, and perft with the default bonus."""

from collections.abc import Callable
from typing import Any

import pytest

from arena import games
from arena.errors import IllegalMove, InvalidNotation, InvalidPosition, UnknownOption
from arena.games import notation
from arena.games.perft import perft, turns_with_default_bonus

OMWESO, NSOLO = games.load("omweso"), games.load("nsolo")
EMPTY = [0] * 16
ELEVEN = [2, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 2, 1]      # never ends from pit 0 [O7, N6]
ASKS_AFTER_3 = [0, 0, 0, 3, 0, 0, 1] + [0] * 9 + [0, 0, 2, 1] + [0] * 8 + [2, 0, 0, 0]


def seen(position: games.Position, move: int, *kinds: str) -> list[tuple[str, int, int]]:
    return [(step.kind, step.pit, step.seeds) for step in position.trace(move) if step.kind in kinds]


def test_facts_count_no_further_than_the_rules_look() -> None:
    pits = [4] * 32
    many = OMWESO.position(pits, turns=(7, 3), cap_turns=(5, 2))
    assert many == OMWESO.position(pits, turns=(1, 1), cap_turns=(2, 2))
    assert OMWESO.position(pits, turns=(0, 1)) != OMWESO.position(pits)


def test_a_position_given_is_the_position_reached() -> None:
    reached = OMWESO.initial().play(12)
    assert OMWESO.position(reached.pits, (0, 0), 1, turns=(1, 0)) == reached
    stripping = NSOLO.initial().play(14)
    assert NSOLO.position(stripping.pits, stripping.stores, 0, strip=2) == stripping
    assert stripping.is_mid_turn()


BAD_POSITIONS: list[tuple[str, Callable[[], Any]]] = [
    ("pits must be 32", lambda: OMWESO.position([4] * 31)),
    ("pits must be 36", lambda: games.load("nsolo:columns=9").position([2] * 32)),
    ("-1 is none", lambda: OMWESO.position([-1] + [4] * 31)),
    ("has no stores", lambda: OMWESO.position([4] * 32, (1, 0))),
    ("to_move must be 0", lambda: NSOLO.position([2] * 32, to_move=2)),
    ("to_move must be 0", lambda: NSOLO.position([2] * 32, to_move=None)),  # type: ignore[arg-type]
    ("turns must be 2", lambda: OMWESO.position([4] * 32, turns=(1,))),
    ("turns must be a list", lambda: OMWESO.position([4] * 32, turns=1)),  # type: ignore[arg-type]
    ("cap_turns must be whole", lambda: OMWESO.position([4] * 32, cap_turns=(0, -1))),
    ("opponent's 2 stones, not 3", lambda: NSOLO.position([9, *EMPTY, 2, *EMPTY[2:]], strip=3)),
    ("strip must be from 0", lambda: NSOLO.position([2] * 32, strip=-1)),
    ("strip must be from 0", lambda: NSOLO.position([2] * 32, strip=None)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("says", "make"), BAD_POSITIONS)
def test_impossible_positions_are_refused(says: str, make: Callable[[], Any]) -> None:
    with pytest.raises(InvalidPosition, match=says):
        make()


def test_any_number_of_seeds_is_sown_at_once() -> None:
    heap = 10**15
    position = OMWESO.position([heap] + [0] * 31, turns=(0, 0)).play(0)
    assert sum(position.pits) == heap
    stones = NSOLO.position([heap] + [0] * 15 + [1] + [0] * 15).play(0)
    assert sum(stones.pits) + sum(stones.stores) == heap + 1


BAD_LINES = [
    "omweso {zeros}/{zeros} 0,0 S turns=0,0 cap_turns=0,0 arranging=1",
    "omweso:setup=free {ones}/{zeros} 0,0 S turns=0,0 cap_turns=0,0 arranging=1",
    "omweso:setup=free {ones}/{zeros} 0,0 N turns=0,0 cap_turns=0,0 arranging=1",
    "omweso:setup=free {heap}/{zeros} 0,0 N turns=0,0 cap_turns=0,0 arranging=1",
    "omweso:setup=free {twos}/{ones} 0,0 N turns=0,0 cap_turns=0,0 arranging=1",
    "omweso:setup=free {zeros}/{zeros} 0,0 S turns=1,0 cap_turns=0,0 arranging=1",
    "omweso:setup=free {zeros}/{zeros} 0,0 S turns=0,0 cap_turns=0,0 arranging=1 ending=akawumbi",
    "omweso {twos}/{twos} 0,0 S turns=1,1 cap_turns=0,0 arranging=0 ending=bulijoo",
    "nsolo {twos}/{twos} 0,0 S strip=0 ending=no_stones",
    "nsolo {twos}/{twos} 0,0 S strip=1 ending=never_ending",
    "nsolo {twos}/{zeros} 0,0 S strip=1",
]


@pytest.mark.parametrize("line", BAD_LINES)
def test_lines_that_describe_no_position_are_refused(line: str) -> None:
    rows = {"zeros": EMPTY, "ones": [1] * 16, "twos": [2] * 16, "heap": [32, *EMPTY[1:]]}
    with pytest.raises(InvalidPosition):
        notation.parse_position(line.format(**{name: ",".join(map(str, row)) for name, row in rows.items()}))


def test_the_board_shows_four_rows() -> None:
    pits = list(range(10, 26)) + list(range(30, 46))
    assert notation.board(OMWESO.position(pits)).splitlines() == [
        "  North    45  44  43  42  41  40  39  38   0",
        "           30  31  32  33  34  35  36  37",
        "         --------------------------------",
        "> South    17  16  15  14  13  12  11  10   0",
        "           18  19  20  21  22  23  24  25",
    ]


def test_a_turn_so_far_has_a_text_too() -> None:
    position = OMWESO.position(ASKS_AFTER_3)
    assert notation.turn_text(position, (3,)) == "3"
    assert notation.turn_text(position.play(3), (33,)) == "-"
    assert notation.turn_text(NSOLO.initial(), (14, 18)) == "14:2x1"
    assert notation.turn_text(NSOLO.initial().play(14), (18, 18)) == ":2x2"
    assert notation.turn_text(games.load("omweso:setup=free").initial(), (44, 40)) == "S4,0"


def test_stripped_stones_are_written_pit_by_pit() -> None:
    assert notation.turn_text(NSOLO.initial(), (14, 26, 19)) == "14:3x1,10x1"


@pytest.mark.parametrize("moves", [(12, 12), (8, 33), (3,)])
def test_moves_that_are_no_turn_have_no_text(moves: tuple[int, ...]) -> None:
    with pytest.raises(IllegalMove):
        notation.turn_text(OMWESO.initial(), moves)


def test_no_moves_are_no_turn() -> None:
    for rules in (OMWESO, NSOLO):
        with pytest.raises(InvalidNotation):
            notation.turn_text(rules.initial(), ())


def test_malformed_and_illegal_turns_are_told_apart() -> None:
    for text in ("", "+", "8x", "16", "-1", "1.0", "w", "S", "8 +", "٣"):
        with pytest.raises(InvalidNotation):
            notation.parse_turn(OMWESO.initial(), text)
    for text in ("0", "8+", "8w", "S4,4"):
        with pytest.raises(IllegalMove):
            notation.parse_turn(OMWESO.initial(), text)


def test_trace_names_each_lap_and_capture() -> None:
    """The published example: two captures of six from pit 12, then relays [O5]."""
    south = [1, 1, 1, 0, 0, 2, 0, 0, 3, 0, 0, 0, 4, 1, 0, 1]
    north = [2, 0, 0, 0, 0, 3, 0, 4, 2, 0, 3, 0, 0, 2, 0, 0]
    assert seen(OMWESO.position(south + north), 12, "lift", "capture") == [
        ("lift", 12, 4), ("capture", 16 + 7, 4), ("capture", 16 + 8, 2),
        ("capture", 16 + 5, 3), ("capture", 16 + 10, 3),
        ("lift", 2, 3), ("lift", 5, 3), ("lift", 8, 4),
    ]


def test_trace_of_a_direction_begins_with_the_lap_it_is_for() -> None:
    asking = OMWESO.position(ASKS_AFTER_3).play(3)
    assert [step.pit for step in asking.trace(32)] == [7, 8]
    assert [(step.kind, step.pit) for step in asking.trace(33)] == [
        ("drop", 5), ("drop", 4), ("capture", 16 + 3), ("capture", 16 + 12), ("drop", 7), ("drop", 8), ("drop", 9),
    ]


def test_trace_of_north_counts_in_the_whole_board() -> None:
    okwesera = OMWESO.position([*EMPTY, *EMPTY[1:], 3], to_move=1).trace(16 + 15)
    assert [(step.kind, step.pit, step.seeds) for step in okwesera] == [
        ("lift", 31, 3), ("drop", 16, 1), ("drop", 16, 1), ("drop", 17, 1),
    ]


def test_trace_of_a_cycle_stops_when_it_closes() -> None:
    """Known by the boards after 128 laps, long before the limit of 2000; Nsolo's test is the same."""
    for rules in (OMWESO, NSOLO):
        position = rules.position(ELEVEN + [0] * 10 + [2] + [0] * 5)
        assert len(seen(position, 0, "lift")) == 128 + 1


def test_trace_of_a_strip() -> None:
    start = NSOLO.initial()
    assert seen(start, 14, "lift", "capture") == [("lift", 14, 2), ("capture", 16 + 7, 2)]
    assert seen(start.play(14), 16 + 3, "strip") == [("strip", 16 + 3, 1)]


BONUS_COUNTS = [
    (8, [15, 209, 1775, 16037]), (10, [19, 337, 4043]), (12, [23, 501, 7343]), (20, [39, 1471]), (36, [71, 4949]),
]
DEEP_BONUS_COUNTS = [(8, 5, 113354), (10, 4, 50237), (12, 4, 113923), (20, 3, 37807), (36, 3, 243463)]


@pytest.mark.parametrize(("columns", "counts"), BONUS_COUNTS)
def test_perft_with_default_bonus_agrees(columns: int, counts: list[int]) -> None:
    position = games.load(f"nsolo:columns={columns}").initial()
    assert [perft(position, depth, turns_with_default_bonus) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "depth", "count"), DEEP_BONUS_COUNTS)
def test_deep_perft_with_default_bonus_agrees(columns: int, depth: int, count: int) -> None:
    assert perft(games.load(f"nsolo:columns={columns}").initial(), depth, turns_with_default_bonus) == count


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "depth", "count"), [("omweso", 6, 168191), ("nsolo", 2, 659143)])
def test_deep_perft_agrees(ruleset: str, depth: int, count: int) -> None:
    assert perft(games.load(ruleset).initial(), depth) == count


def test_a_cap_belongs_to_the_free_set_up() -> None:
    assert games.load("omweso:setup_cap=10").ruleset == "omweso"
    assert games.load("omweso:setup=free,setup_cap=none").options["setup_cap"] is None
    for text in ("omweso:setup_cap=5", "omweso:setup=all2,setup_cap=none"):
        with pytest.raises(UnknownOption, match="10 unless setup=free"):
            games.load(text)
    with pytest.raises(UnknownOption, match="2…32"):
        games.load("omweso:setup=free,setup_cap=33")


def test_the_ply_cap_of_nsolo_grows_with_the_board() -> None:
    assert games.load("nsolo:columns=36").options["max_plies"] == 3600
    with pytest.raises(UnknownOption, match="1…800"):
        games.load("nsolo:max_plies=801")
