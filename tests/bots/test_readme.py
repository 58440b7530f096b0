"""bots/README.md, done word for word: every file it has one save is saved, every command it gives is run."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli.client import Client
from arena.cli.stack import Plan, Stack
from tests.cli.conftest import environment_of
from tests.support.ports import free_port

README = Path(__file__).parents[2] / "bots" / "README.md"
PASSWORD = "correct horse battery"

pytestmark = [pytest.mark.services, pytest.mark.slow]


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    """An arena like that of `arena up`, where Ama has a bot already."""
    with Stack(Plan(tmp_path / "arena", free_port(), 2), print) as running:
        login = Client(running.url).register("ama", PASSWORD)
        Client(running.url, login["token"]).submit(
            "ama-first", "oware", ("ama.py", saved_files()["my_bot.py"].encode())
        )
        yield running


@pytest.fixture
def shell(stack: Stack, tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who follows the page: `arena` is a command, and their server is this one."""
    programs = tmp_path / "bin"
    programs.mkdir()
    arena = programs / "arena"
    arena.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c 'from arena.cli.main import main; main()' \"$@\"\n")
    arena.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return environment_of(tmp_path, PATH=path, ARENA_SERVER=stack.url, ARENA_PASSWORD=PASSWORD)


def saved_files() -> dict[str, str]:
    """File name → content: each `python` block follows a sentence "Save this as `name`"."""
    return dict(re.findall(r"Save this as `([\w.]+)`.*?```python\n(.*?)```", README.read_text(), re.DOTALL))


def commands() -> list[str]:
    """Every line of every `sh` block, in order."""
    blocks = re.findall(r"```sh\n(.*?)```", README.read_text(), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def test_readme_can_be_followed_word_for_word(shell: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "my bots"
    folder.mkdir()
    for name, content in saved_files().items():
        (folder / name).write_text(content)
    printed = {}
    for command in commands():
        done = subprocess.run(
            command, shell=True, cwd=folder, env=shell, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        printed[command] = done.stdout + done.stderr

    assert list(saved_files()) == ["my_bot.py"]
    assert len(printed) >= 9
    assert "kofi-first version 1 is active" in printed["arena submit my_bot.py --name kofi-first --game oware"]
    assert "kofi-first version 2 is active" in printed["arena submit my_bot.py --name kofi-first"]
    assert "finished, 1 of 1 matches" in printed["arena tournament create first-cup oware kofi-first ama-first --start"]
    assert "oware: 2 rated" in printed["arena leaderboard oware"]


def test_limits_named_in_the_readme_are_those_in_force() -> None:
    from arena.match.clock import PRESETS
    from arena.match.record_types import VERDICT_KINDS
    from arena.services import packages
    from arena.settings import Settings

    text = README.read_text()
    assert f"{PRESETS['quick'].turn_ms} ms a turn and {PRESETS['quick'].bank_ms // 1000} s for overruns" in text
    assert f"more than {Settings().sandbox_memory_mb} MB" in text
    assert f"up to {packages.MAX_ZIP // packages.MEGABYTE} MB" in text
    assert all(f"`{kind}`" in text for kind in VERDICT_KINDS)
