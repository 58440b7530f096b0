"""`make bench` shows what every program handed over, and why another did not."""

import time
from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.report import Measured
from benchmarks.rows import Row, Verdict, at_least, at_most
from benchmarks.run import DOCUMENT, Program, measure_all

HEAD = """
import sys, time
from benchmarks.measuring import NotHere, run
from benchmarks.rows import Row, at_least, at_most

def measure(effort):
"""
TAIL = """
sys.exit(run("A program", measure))
"""
WELL = """
    rounds = effort.choose([2.5, 3.25, 2.75], [2.5])
    yield Row("a|loop", "their loop", "5 a second", "2").judged(rounds, at_least(2))
    yield Row("its size").told([123456], "bytes")
    raise NotHere("no partner here")
"""
FAILS = """
    yield Row("a start").judged([7], at_most(5, "s"))
    print("nearly there")
    raise ValueError("it broke")
"""
HANGS = """
    yield Row("quick").judged([1], at_most(5, "s"))
    try:
        time.sleep(60)
    finally:
        open(__file__ + ".stopped", "w").close()
"""


def programs(folder: Path, limit_seconds: float, **bodies: str) -> list[Program]:
    for name, body in bodies.items():
        (folder / f"{name}.py").write_text(HEAD + body + TAIL)
    return [Program(folder / f"{name}.py", limit_seconds) for name in bodies]


def test_programs_hand_over_their_rows_whatever_becomes_of_the_others(tmp_path: Path) -> None:
    said: list[str] = []

    broken, well = measure_all(programs(tmp_path, 30, broken=FAILS, well=WELL), [], said.append)

    assert [(row.what, row.verdict, row.why) for row in broken.rows] == [
        ("a start", Verdict.MISSED, ""), ("everything else", Verdict.FAILED, "ValueError: it broke"),
    ]
    assert "    nearly there\n" in "".join(said)
    assert well.rows[0] == Row(
        "a|loop", "their loop", "5 a second", "2", "2.75", "2.50–3.25", "≥ 2", Verdict.REACHED
    )
    assert [(row.verdict, row.why) for row in well.rows[1:]] == [
        (Verdict.WITHOUT_GOAL, ""), (Verdict.NOT_MEASURED, "no partner here"),
    ]
    assert broken.is_unwell
    assert not well.is_unwell


def test_program_that_hangs_is_ended_at_its_limit_and_stops_what_it_has_started(tmp_path: Path) -> None:
    begin = time.monotonic()

    (hanging,) = measure_all(programs(tmp_path, 0.7, hanging=HANGS), [], lambda text: None)

    assert time.monotonic() - begin < 15
    assert hanging.rows[-1].verdict is Verdict.FAILED
    assert hanging.rows[-1].why == "took more than 0.7 s"
    assert hanging.rows[0].what == "quick"
    assert (tmp_path / "hanging.py.stopped").exists()


def test_options_reach_the_programs(tmp_path: Path) -> None:
    (well,) = measure_all(programs(tmp_path, 30, well=WELL), ["--quick"], lambda text: None)

    assert (well.rows[0].found, well.rows[0].spread) == ("2.50", "")


def test_table_holds_what_has_a_goal_and_the_rest_stands_below(tmp_path: Path) -> None:
    rows = [
        Row("a|loop").judged([1.0], at_least(1 / 1.5)), Row("a start").judged([7.0, 8.0, 9.0], at_most(5, "s")),
        Row("its size").told([123456], "bytes"), Row("a game").not_measured("no partner here", at_least(25)),
    ]

    printed = report.lines([Measured("program", rows, 3.0)], 60.0)

    assert "| program | a/loop |  |  |  | 1.00 |  | ≥ 0.667 | yes |" in printed
    assert "| program | a start |  |  |  | 8.00 s | 7.00–9.00 | ≤ 5 s | **no** |" in printed
    assert "| program | a game |  |  |  |  |  | ≥ 25 | not measured: no partner here |" in printed
    assert printed[-1] == "| program | its size |  |  |  | 123,456 bytes |  |"
    assert "Of 3 rows with a goal: 1 reached, 1 missed, 1 not measured; measured in 1.0 minutes." in printed


def test_table_is_written_between_the_marks_and_nowhere_else(tmp_path: Path) -> None:
    document = tmp_path / "performance.md"
    document.write_text(f"before\n\n{report.BEGINS}\nold\n{report.ENDS}\n\nafter\n")

    report.write(document, ["new"])
    report.write(document, ["newer"])

    assert document.read_text() == f"before\n\n{report.BEGINS}\n\nnewer\n\n{report.ENDS}\n\nafter\n"
    document.write_text("nothing")
    with pytest.raises(ValueError, match="no place"):
        report.write(document, ["new"])


def test_document_has_a_place_for_the_table() -> None:
    text = DOCUMENT.read_text()

    assert 0 < text.find(report.BEGINS) < text.find(report.ENDS)
