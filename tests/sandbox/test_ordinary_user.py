"""A worker that is not root needs no rights: the same sandbox for the user `nobody`, with a Python he can reach."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.sandbox.image import reachable_by_all
from arena.sandbox.player import Sandbox

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(os.geteuid() != 0, reason="the other tests already run as an ordinary user"),
]

ROOT = Path(__file__).parents[2]
NOBODY = "65534"
TRIED = (
    "crashes/exit_137", "honest/hooks", "host/files", "host/image", "host/processes", "host/user", "kernel/mount",
    "memory/grows", "processes/fork", "protocol/floods_output", "time/loops",
)
PROGRAM = """
import json, os, sys
from pathlib import Path
from arena.sandbox.attacks import attempt, programs
from arena.sandbox.player import Sandbox

sandbox = Sandbox(Path(sys.argv[1]))
chosen = [attack for attack in programs() if attack.name in sys.argv[2:]]
problems = {attack.name: attempt(sandbox, attack, 1).problem for attack in chosen}
sandbox.close()
left = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
print(json.dumps({"user": os.getuid(), "tier": sandbox.tier, "problems": problems, "left": left}))
"""


def a_python_for_everybody() -> str | None:
    candidates = (os.path.realpath(sys.executable), shutil.which("python3", path="/usr/bin:/usr/local/bin"))
    for candidate in candidates:
        if candidate and reachable_by_all(Path(candidate).resolve().parent):
            version = subprocess.run([candidate, "-c", "import sys; print(sys.version_info >= (3, 11))"],
                                     capture_output=True, text=True, check=False)
            if version.stdout.strip() == "True":
                return candidate
    return None


def test_an_ordinary_user_runs_bots_in_tier_a(image_dir: Path, sandbox: Sandbox) -> None:
    python, setpriv = a_python_for_everybody(), shutil.which("setpriv")
    if python is None or setpriv is None or not reachable_by_all(ROOT):
        pytest.skip("there is no Python 3.11, or no way to this checkout, that the user nobody could use")
    folder = image_dir / "of nobody"
    folder.mkdir()
    os.chown(folder, int(NOBODY), int(NOBODY))
    drop = [setpriv, "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]
    worker = subprocess.run(
        [*drop, python, "-c", PROGRAM, str(folder), *TRIED],
        capture_output=True, text=True, check=False, cwd="/", timeout=200,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert worker.returncode == 0, worker.stderr
    told = json.loads(worker.stdout)
    assert told == {"user": int(NOBODY), "tier": "A", "problems": dict.fromkeys(TRIED, ""), "left": ""}
