"""Output that cannot be written, or not with all its signs: one sentence at most, never a traceback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Done, environment_of


def shell(folder: Path, words: str, tail: str, **environment: str) -> Done:
    """A command and what the shell does with its output."""
    command = f"{sys.executable} -c 'from arena.cli.main import main; main()' {words} {tail}"
    env = environment_of(folder, **environment)
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False, cwd=folder, env=env
    )


@pytest.mark.parametrize("words", ["games", "games --json", "--help", "perft oware 2"])
def test_a_full_disk_is_told(tmp_path: Path, words: str) -> None:
    done = shell(tmp_path, words, "> /dev/full")

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("error: the output cannot be written: No space left on device")
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.parametrize("words", ["games", "games --json", "--help", "perft oware 3"])
def test_a_reader_that_has_seen_enough_is_no_failure_to_shout_about(tmp_path: Path, words: str) -> None:
    done = shell(tmp_path, words, "| true")

    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert "error" not in done.stderr


def test_a_closed_output_is_told(tmp_path: Path) -> None:
    done = shell(tmp_path, "games", ">&-")

    assert done.returncode == 1
    assert done.stderr == "error: standard output is closed; send it to a file, or to /dev/null\n"


def test_a_terminal_without_our_signs_shows_question_marks(tmp_path: Path) -> None:
    done = shell(tmp_path, "games", "", PYTHONIOENCODING="ascii")

    assert done.returncode == 0
    assert "quiet_limit=1?500 (500)" in done.stdout


def test_json_loses_nothing_where_signs_are_missing(tmp_path: Path) -> None:
    (tmp_path / "naive.py").write_text("def choose_move(position):\n    print('na\u00efve')\n    return 99\n")
    words = "play oware naive.py random --unsafe --games 1 --json"
    done = shell(tmp_path, words, "", PYTHONIOENCODING="ascii")

    assert json.loads(done.stdout)["logs"]["first"] == "na\u00efve\n"
