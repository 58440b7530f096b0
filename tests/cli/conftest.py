"""Running the command line as people do: a process of its own, in a folder of its own, with a home of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
Done = subprocess.CompletedProcess[str]
Arena = Callable[..., Done]


def environment_of(home: Path, **more: str) -> dict[str, str]:
    """What a person's shell has, and nothing that this machine's arena variables say."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    return {
        **kept,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "120",
        **more,
    }


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """`arena("play", "oware", …)` runs the command and gives what it printed and its exit code."""

    def run(*words: str, stdin: str = "", seconds: float = 120, env: Mapping[str, str] | None = None) -> Done:
        command = [sys.executable, "-c", "from arena.cli.main import main; main()", *words]
        return subprocess.run(
            command,
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
            env=environment_of(tmp_path, **(env or {})),
        )

    return run
