"""The house rules that a program can check: who may call whom, what belongs to a game, how long a module may be."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena import games

ROOT = Path(__file__).parents[1]
LONGEST_MODULE = 300
# A module may be longer only with a reason, here.
LONGER: dict[str, str] = {}
# Parts of addresses of package registries, and of folders that only one machine has.
FOREIGN = re.compile(r"pypi\.org|pythonhosted|index-url|find-links|/(?:root|work|home/[a-z]+)/")


def tracked(*patterns: str) -> list[Path]:
    """The files of the project that git knows, or in an unpacked archive all but what is made by running it."""
    listed = subprocess.run(["git", "ls-files", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]
    made = {".venv", ".arena", ".git"}
    found = (path for pattern in patterns or ("*",) for path in ROOT.rglob(pattern) if path.is_file())
    return [path for path in found if not made & set(path.relative_to(ROOT).parts)]


def test_imports_go_down_only() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as main; main()"]
    linted = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_modules_are_short_enough_to_read() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for path in tracked("*.py")
        if not path.is_relative_to(ROOT / "tests")
    }

    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE and name not in LONGER} == {}
    assert set(LONGER) <= set(lengths)


@pytest.mark.parametrize("game", games.names())
def test_game_has_rules_page_cases_golden_record_and_oracle(game: str) -> None:
    assert (ROOT / "docs" / "rules" / f"{game}.md").is_file()
    assert (ROOT / "tests" / "games" / "cases" / f"{game}.toml").is_file()
    assert list((ROOT / "tests" / "games" / "golden").glob(f"{game}*"))
    assert (ROOT / "tests" / "games" / "oracles" / f"{game}.py").is_file()


def test_sample_bots_see_the_rules_of_the_games_and_nothing_else() -> None:
    for path in tracked("bots/samples/*.py"):
        imported = re.findall(r"^\s*(?:from|import) ([\w.]+)", path.read_text(), re.MULTILINE)
        assert {name for name in imported if name.partition(".")[0] not in sys.stdlib_module_names} <= {"arena.games"}


def test_no_file_names_a_package_index_or_a_folder_of_one_machine() -> None:
    found = []
    for path in tracked():
        if path == Path(__file__) or path.suffix in {".png", ".ico", ".woff2", ".map"}:
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        found += [f"{path.relative_to(ROOT)}: {match.group()}" for match in FOREIGN.finditer(text)]

    assert found == []


def test_locks_pin_every_package_with_hashes() -> None:
    for path in tracked("*.lock", "scripts/set_up/*.lock.txt"):
        packages = [line for line in path.read_text().splitlines() if line and not line.startswith((" ", "#"))]
        assert packages, path
        assert all("==" in line and line.endswith("\\") for line in packages), path
