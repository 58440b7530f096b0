"""Where the time of a match went."""

from arena.cli.timing import by_bot, slowest, timed_turns

RECORD = {
    "time_control": "quick",
    "bots": [{"name": "kofi"}, {"name": "ama"}],
    "turn_fields": ["seat", "ply", "charged_us", "wall_us", "cpu_us", "waited_us"],
    "games": [
        {"turns": [[0, 0, 1_500, 2_000, 1_400, 500], [1, 1, 900, 900, 800, 0]]},
        {"turns": [[1, 0, 40_000, 90_000, 39_000, 50_000]]},
    ],
}


def test_sums_are_kept_apart_by_bot() -> None:
    kofi, ama = by_bot(RECORD)
    assert kofi == {"bot": "kofi", "turns": 1, "longest_ms": 1.5, "charged_ms": 1.5, "wall_ms": 2.0, "cpu_ms": 1.4,
                    "waited_ms": 0.5}
    assert (ama["turns"], ama["longest_ms"], ama["waited_ms"]) == (2, 40.0, 50.0)


def test_turns_are_numbered_as_the_texts_number_them() -> None:
    assert [(turn.game, turn.ply, turn.seat) for turn in timed_turns(RECORD)] == [(1, 1, 0), (1, 2, 1), (2, 1, 1)]


def test_the_slowest_turns_come_first() -> None:
    assert [turn.charged for turn in slowest(RECORD, 2)] == [40_000, 1_500]


def test_a_bot_that_never_moved_has_no_time() -> None:
    assert by_bot({**RECORD, "games": []})[0]["longest_ms"] == 0
