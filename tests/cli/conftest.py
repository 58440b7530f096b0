"""Running the command line as people do: a process of its own, in a folder of its own, with a home of its own."""

import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from werkzeug.serving import make_server

from arena.cli.main import main
from arena.services import accounts
from arena.store.session import Store
from web.app import create_app

ROOT = Path(__file__).parents[2]
PASSWORD = "correct horse battery"
WIDTH = {"COLUMNS": "120"}
CHEAP = accounts.HashCost(memory_kib=8, passes=1)
Done = subprocess.CompletedProcess[str]
Arena = Callable[..., Done]


def environment_of(home: Path, **more: str) -> dict[str, str]:
    """What a person's shell has, without what this machine's arena variables say."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "PYTHONPATH": str(ROOT)}
    return {**kept, **own, **WIDTH, **more}


def run_arena(
    folder: Path, *words: str, stdin: str = "", seconds: float = 120, env: Mapping[str, str] | None = None
) -> Done:
    """Run the command to its end."""
    return subprocess.run(
        [sys.executable, "-c", "from arena.cli.main import main; main()", *words],
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        env=environment_of(folder, **(env or {})),
    )


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """`arena("play", "oware", …)` runs the command and gives what it printed and its exit code."""
    return lambda *words, **how: run_arena(tmp_path, *words, **how)


@pytest.fixture
def arena_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Arena:
    """The same as `arena`, within this process: for what needs no process of its own, and many times faster."""

    def run(*words: str, stdin: str = "") -> Done:
        monkeypatch.setattr(sys, "argv", ["arena", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        monkeypatch.chdir(tmp_path)
        for name, value in environment_of(tmp_path).items():
            monkeypatch.setenv(name, value)
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capfd.readouterr()
        return subprocess.CompletedProcess(words, int(ended.value.code or 0), printed.out, printed.err)

    return run


@pytest.fixture
def server(store: Store) -> Iterator[str]:
    """The address of a server without workers, on a real database; kofi and ama have accounts, and nobody else."""
    for name in ("kofi", "ama"):
        accounts.register(store, name, PASSWORD, cost=CHEAP)
    app = create_app(replace(store.settings, rate_limits=False), store)
    listener = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{listener.server_port}"
    listener.shutdown()
    listener.server_close()
