"""Tables on screens of every width: nothing lost in silence, no name broken while a column can go instead."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from arena.cli.tables import fitting, widths_of
from tests.cli.conftest import environment_of

NAMES = ["arena-minimax-oware", "arena-greedy-oware", "kofi-first", "ama-with-a-long-name", "esi", "yaw-2"]
PROGRAM = f"""
from arena.cli.crosstable import Line, show
names = {NAMES!r}
lines = [Line(name, rank, 5, f"{{6 - rank}}/2", "7/2") for rank, name in enumerate(names, 1)]
show("cup", lines, lambda bot, other: f"{{names.index(bot)}}{{names.index(other)}}")
"""


def on_screen(columns: int, program: str, folder: Path) -> list[str]:
    """What a terminal of so many columns shows, line by line, without colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = environment_of(folder, TERM="xterm")
    del environment["COLUMNS"]
    process = subprocess.Popen([sys.executable, "-c", program], stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:             # how a terminal says that its last writer is gone
        pass
    os.close(ours)
    assert process.wait() == 0, shown
    return re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).splitlines()


def test_crosstable_is_whole_on_a_wide_screen(tmp_path: Path) -> None:
    shown = on_screen(100, PROGRAM, tmp_path)
    assert f"2 {NAMES[1]} 10 × 12 13 14 15 4/2 7/2 5" in [" ".join(line.split()) for line in shown]


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_crosstable_in_blocks_keeps_every_result(columns: int, tmp_path: Path) -> None:
    shown = on_screen(columns, PROGRAM, tmp_path)
    table = [line for line in shown if not line.startswith("Left out")]
    assert all(len(line) <= columns for line in table)
    text = "\n".join(shown)
    for name in NAMES:
        assert name in text
    scores = {f"{one}{other}" for one in range(6) for other in range(6) if one != other}
    assert scores <= set(text.split())
    gone = {"points", "matches"} - set(text.partition("Left out")[0].split())
    assert all(column in text.partition("Left out, as the screen is narrow: ")[2] for column in gone)


def test_columns_go_in_the_declared_order_and_only_as_many_as_needed() -> None:
    columns, rows = ("bot", "owner", "#rating"), [("kofi-first", "kofi", "1500")]
    assert fitting(columns, rows, ("owner", "rating"), 80) == [0, 1, 2]
    assert fitting(columns, rows, ("owner", "rating"), 23) == [0, 2]
    assert fitting(columns, rows, ("owner", "rating"), 12) == [0]
    assert fitting(columns, rows, ("owner", "rating"), None) == [0, 1, 2]


def test_sentences_are_broken_before_names() -> None:
    rows = [("kofi-first", "it was late and so it lost")]
    name, why = widths_of(("bot", "why"), rows, 30)
    assert (name, name + why + 5) == (10, 30)
