"""bots/README.md, done word for word: every file it has one save is saved, every command it gives is run."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import environment_of, run_arena

README = Path(__file__).parents[2] / "bots" / "README.md"
PASSWORD = "correct horse battery"
UP, LOGIN = "arena up", "arena login kofi --register"

IMPORTER = """
import importlib

def can_import(name):
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True

print("can import:", *filter(can_import, {names!r}))

def choose_move(position):
    return position.legal_moves()[0]
"""

pytestmark = [pytest.mark.services, pytest.mark.slow]


class Reader:
    """Somebody who follows the page in a folder: `arena` is a command, and nothing of it was ever used here."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "my bots"
        self.folder.mkdir()
        programs = home / "bin"
        programs.mkdir()
        arena = programs / "arena"
        arena.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c 'from arena.cli.main import main; main()' \"$@\"\n")
        arena.chmod(0o755)
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        self._environment = environment_of(home, PATH=path, ARENA_PASSWORD=PASSWORD)
        self._second_terminal: subprocess.Popen[str] | None = None
        self._login = ""

    def does(self, command: str) -> str:
        """What a command prints; `arena up` goes on in a second terminal, and says how to sign in."""
        if command == UP:
            return self._has_it_running(command)
        typed = self._login if command == LOGIN else command
        done = subprocess.run(
            typed,
            shell=True,
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{typed}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def leaves(self) -> None:
        """Close the second terminal."""
        if self._second_terminal is not None:
            self._second_terminal.terminate()
            self._second_terminal.communicate(timeout=60)

    def _has_it_running(self, command: str) -> str:
        self._second_terminal = subprocess.Popen(
            ["arena", *command.split()[1:]],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._second_terminal.stderr is not None
        said = ""
        for line in self._second_terminal.stderr:
            said += line
            if found := re.search(r"`(arena login YOUR_NAME --register[^`]*)`", line):
                self._login = found[1].replace("YOUR_NAME", "kofi")
                return said
        raise AssertionError(f"it ended without saying how to sign in:\n{said}")


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    person = Reader(tmp_path)
    yield person
    person.leaves()


def saved_files() -> dict[str, str]:
    """File name → content: each `python` block follows a sentence "Save this as `name`"."""
    return dict(re.findall(r"Save this as `([\w.]+)`.*?```python\n(.*?)```", README.read_text(), re.DOTALL))


def commands() -> list[str]:
    """Every line of every `sh` block, in order."""
    blocks = re.findall(r"```sh\n(.*?)```", README.read_text(), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def test_readme_can_be_followed_word_for_word(reader: Reader) -> None:
    for name, content in saved_files().items():
        (reader.folder / name).write_text(content)
    printed = {command: reader.does(command) for command in commands()}

    assert list(saved_files()) == ["my_bot.py"]
    assert len(printed) >= 11
    assert {UP, LOGIN} < set(printed)
    assert "kofi-first version 1 is active" in printed["arena submit my_bot.py --name kofi-first --game oware"]
    assert "kofi-first version 2 is active" in printed["arena submit my_bot.py --name kofi-first"]
    (cup,) = [said for command, said in printed.items() if command.startswith("arena tournament create")]
    assert "finished, 3 of 3 matches" in cup
    assert "not rated" not in cup.lower()
    assert "kofi-first v2" in printed["arena leaderboard oware"]
    assert "arena-minimax-oware" in printed["arena bots ratings kofi-first"]


def test_modules_named_in_the_readme_are_there_or_not_as_it_says(tmp_path: Path) -> None:
    text = " ".join(README.read_text().split())
    has, _, lacks = text.partition("such as `array`")[2].partition("Not there are packages")
    there = ["array", *re.findall(r"`(\w+)`", has)]
    missing = re.findall(r"`(\w+)`", lacks.partition(" and their like")[0])
    assert (len(there), len(missing)) == (16, 9)
    assert set(there) | set(missing) - {"numpy"} <= sys.stdlib_module_names
    (tmp_path / "importer.py").write_text(IMPORTER.format(names=there + missing))
    played = run_arena(tmp_path, "play", "oware", "importer.py", "random", "--games", "1", "--seed", "1")
    assert f"can import: {' '.join(there)}\n" in played.stderr, played.stdout + played.stderr


def test_limits_named_in_the_readme_are_those_in_force() -> None:
    from arena.match.record_types import VERDICT_KINDS
    from arena.match.time_control import PRESETS
    from arena.services import packages
    from arena.settings import Settings

    text = README.read_text()
    assert f"{PRESETS['quick'].turn_ms} ms a turn and {PRESETS['quick'].bank_ms // 1000} s for overruns" in text
    assert f"more than {Settings().sandbox_memory_mb} MB" in text
    assert f"up to {packages.MAX_ZIP // packages.MEGABYTE} MB" in text
    assert all(f"`{kind}`" in text for kind in VERDICT_KINDS)
