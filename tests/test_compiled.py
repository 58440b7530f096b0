"""Some modules have two forms, compiled and interpreted: the same answers, and never one of other sources.

`make test` runs their own tests in both: `python -X interpreted -m pytest tests/games tests/match …` is the second.
"""

import ast
import hashlib
import importlib.util
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from arena import compiling, games
from arena.games import notation
from arena.games.playout import play_out
from tests.games.material import rulesets

ROOT = Path(__file__).parents[1]
COMPILE = ROOT / "scripts" / "compile_modules.py"
INTERPRETED = ["-X", compiling.OPTION]
PACKAGES = [package for packages in compiling.LIBRARIES.values() for package in packages]
ASK = "import arena.games; print(arena.games.is_compiled())"
ALWAYS_INTERPRETED = {"__init__", "four_row_text", "native", "notation", "options", "perft", "registry"}

needs_compiled = pytest.mark.skipif(not games.is_compiled(), reason="the games are not compiled here")


def run(*arguments: str | Path, folder: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, arguments)], cwd=folder, capture_output=True, text=True,
                          check=False, env=os.environ | environment)


def digest_of_random_games() -> str:
    """A hash of all that random games of every ruleset show."""
    digest = hashlib.sha256()
    for ruleset in rulesets():
        chance = random.Random(ruleset)
        game = games.Game(games.load(ruleset))
        digest.update(str(play_out(game.position, 1)).encode())
        while game.outcome() is None and len(game.moves) < 150:
            move = chance.choice(game.legal_moves())
            digest.update(f"{game.legal_moves()} {move} {game.position.trace(move)}".encode())
            game.push(move)
            digest.update(f"{notation.position_text(game.position)} {hash(game.position)}".encode())
        digest.update(f"{game.outcome()}".encode())
    return digest.hexdigest()


def copied(to: Path) -> Path:
    """The packages in a place of their own, with what was compiled of them."""
    for package in PACKAGES:
        folder = Path("arena") / package
        shutil.copytree(ROOT / folder, to / folder, ignore=shutil.ignore_patterns("__pycache__", "hostile-bots"))
    for file in ("arena/__init__.py", "arena/compiling.py", "arena/errors.py"):
        shutil.copy(ROOT / file, to / file)
    return to


def without_compiled(to: Path) -> Path:
    """The packages in a place of their own, with the script that compiles them."""
    copy = copied(to)
    for package in PACKAGES:
        shutil.rmtree(copy / "arena" / package / compiling.FOLDER, ignore_errors=True)
    (copy / "scripts").mkdir()
    shutil.copy(COMPILE, copy / "scripts")
    return copy


def test_every_module_of_the_games_is_compiled_or_known_not_to_be() -> None:
    there = {path.stem for path in (ROOT / "arena" / "games").glob("*.py")}
    assert set(compiling.LIBRARIES["games"]["games"]) == there - ALWAYS_INTERPRETED


def test_all_that_compiled_modules_import_decides_what_they_are_made_of() -> None:
    """The compiler trusts the types it was told: a value of another type would be an error in code made before."""
    read: set[str] = set()
    for library, packages in compiling.LIBRARIES.items():
        read |= set(compiling.modules_read(library))
        modules = [f"{package}/{module}" for package, modules in packages.items() for module in modules]
        assert {name for module in modules for name in imported_by(module)} <= read


def imported_by(module: str) -> Iterator[str]:
    """The modules of the arena that it names; a package only hands on what is in these."""
    for node in ast.walk(ast.parse((ROOT / "arena" / f"{module}.py").read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("arena."):
            place = str(node.module).removeprefix("arena.").replace(".", "/")
            names = [place, *(f"{place}/{alias.name}" for alias in node.names)]
            yield from (name for name in names if (ROOT / "arena" / f"{name}.py").is_file())


def test_the_compiled_form_is_in_use_where_it_can_be_made() -> None:
    """After a change of the sources `make setup` compiles them; until then they run interpreted, and this fails."""
    if compiling.OPTION in sys._xoptions:
        pytest.skip("interpreted on demand")
    made = run(COMPILE, "--required")
    if made.returncode:
        pytest.skip(made.stderr)
    missing = [package for package in PACKAGES if not compiling.is_compiled(package)]
    assert not missing, "what was compiled was of other sources; it has just been made anew"


def test_both_forms_play_the_same_games() -> None:
    program = "from tests.test_compiled import digest_of_random_games as digest; print(digest())"
    interpreted = run(*INTERPRETED, "-c", program)
    assert interpreted.stdout.strip() == digest_of_random_games(), interpreted.stderr


@needs_compiled
def test_pickles_pass_from_one_form_to_the_other() -> None:
    program = """if True:
        import pickle, sys
        from arena import games
        game = games.Game(games.load("omweso"))
        for move in (12, 11, 10):
            game.push(move)
        print(pickle.dumps([game.position, game.position.trace(8), game, game.rules]).hex())
    """
    assert run("-c", program).stdout == run(*INTERPRETED, "-c", program).stdout != ""


def test_the_option_leaves_the_compiled_form_aside() -> None:
    assert compiled_packages(*INTERPRETED) == []


def compiled_packages(*options: str, folder: Path = ROOT) -> list[str]:
    program = f"from arena.compiling import is_compiled; print(*filter(is_compiled, {PACKAGES}))"
    return run(*options, "-c", program, folder=folder).stdout.split()


@needs_compiled
@pytest.mark.parametrize(
    ("module", "still_compiled"),
    [
        ("games/oware", []),
        ("games/native", []),
        ("match/turn", ["games"]),
        ("match/time_control", ["games"]),
        ("sandbox/channel", ["games"]),
        ("match/referee", PACKAGES),
    ],
)
def test_an_edited_source_never_runs_an_old_binary(tmp_path: Path, module: str, still_compiled: list[str]) -> None:
    """Nor one of what imports it, in the same room or above, which was compiled for what the source said."""
    copy = copied(tmp_path)
    assert compiled_packages(folder=copy) == PACKAGES
    with (copy / "arena" / f"{module}.py").open("a") as source:
        source.write("EDITED = True\n")
    assert compiled_packages(folder=copy) == still_compiled
    ask = f"from arena.{module.replace('/', '.')} import EDITED; print(EDITED)"
    assert run("-c", ask, folder=copy).stdout.strip() == "True"


@needs_compiled
def test_where_not_all_sources_are_the_rest_is_interpreted(tmp_path: Path) -> None:
    """As in the image of a sandbox, which has the games and little else."""
    copy = copied(tmp_path)
    shutil.rmtree(copy / "arena" / "match")
    (copy / "arena" / "sandbox" / "channel.py").unlink()
    assert run("-c", ASK, folder=copy).stdout.strip() == "True"
    assert run("-c", "import arena.sandbox.limits as found; print(found.__file__)", folder=copy).stdout.endswith("py\n")


@needs_compiled
def test_without_the_library_of_the_compiler_the_sources_run() -> None:
    assert run("-c", f"import sys; sys.modules['librt.vecs'] = None; {ASK}").stdout.strip() == "False"


def test_the_stand_in_for_the_compilers_types_is_taken_away() -> None:
    assert run("-c", "import arena.games, sys; print('mypy_extensions' in sys.modules)").stdout.strip() == "False"
    assert run("-c", "import mypy_extensions, arena.games; print(mypy_extensions.i64)").returncode == 0


def test_without_a_c_compiler_the_sources_run_and_the_script_says_why(tmp_path: Path) -> None:
    copy = without_compiled(tmp_path)
    script = copy / "scripts" / COMPILE.name
    tried = run(script, folder=copy, CC="no-such-compiler")
    assert (tried.returncode, tried.stdout) == (0, "")
    assert "no C compiler (no-such-compiler)" in tried.stderr
    assert run(script, "--required", folder=copy, CC="no-such-compiler").returncode == 1
    assert run("-c", ASK, folder=copy).stdout.strip() == "False"


def test_a_compiler_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    copy = without_compiled(tmp_path)
    script = copy / "scripts" / COMPILE.name
    tried = run(script, folder=copy, CC=shutil.which("false") or "false")
    assert tried.returncode == 0
    assert "interpreted" in tried.stderr
    assert not list((copy / "arena" / "games" / compiling.FOLDER).glob("*"))


def test_where_nothing_can_be_written_the_sources_run_and_the_script_says_why(tmp_path: Path) -> None:
    copy = without_compiled(tmp_path)
    (copy / "arena" / "games" / compiling.FOLDER).touch()
    tried = run(copy / "scripts" / COMPILE.name, folder=copy)
    assert (tried.returncode, tried.stdout) == (0, "")
    assert "interpreted" in tried.stderr
    assert "Traceback" not in tried.stderr
    assert run("-c", ASK, folder=copy).stdout.strip() == "False"


def test_sources_that_change_while_they_are_compiled_are_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows which of the two was read."""
    copy, script = without_compiled(tmp_path), script_that_compiles()

    def edited(command: list[str], **_options: object) -> subprocess.CompletedProcess[str]:
        (Path(command[-1]) / "library" / "arena" / "games").mkdir(parents=True)
        with (copy / "arena" / "games" / "oware.py").open("a") as source:
            source.write("EDITED = True\n")
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(script, "_check_tools", lambda: None)
    monkeypatch.setattr(subprocess, "run", edited)
    with pytest.raises(script.CannotCompile, match="changed"):
        script.compile_modules(copy)
    assert not list((copy / "arena" / "games" / compiling.FOLDER).glob("*"))


@needs_compiled
def test_an_end_between_two_packages_leaves_what_can_be_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a library, the first package has what the others load."""
    copy, script = copied(tmp_path), script_that_compiles()
    made = [copy / "made" / package for package in compiling.LIBRARIES["turn"]]
    targets = [copy / "arena" / folder.name / compiling.FOLDER / "of-other-sources" for folder in made]
    for folder in made:
        folder.mkdir(parents=True)
    remove = shutil.rmtree

    def removed_and_ended(folder: Path, **_options: object) -> None:
        remove(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "rmtree", removed_and_ended)
    with pytest.raises(KeyboardInterrupt):
        script._put_in_place(made, targets)
    assert compiled_packages(folder=copy) == ["games", "match"]


def test_what_another_has_just_compiled_is_completed(tmp_path: Path) -> None:
    made, target = tmp_path / "made", tmp_path / compiling.FOLDER / "hash"
    for folder, name in ((made, "mine.so"), (target, "others.so")):
        folder.mkdir(parents=True)
        (folder / name).touch()
    script_that_compiles()._put_in_place([made], [target])
    assert {library.name for library in target.iterdir()} == {"mine.so", "others.so"}


def script_that_compiles() -> ModuleType:
    spec = importlib.util.spec_from_file_location(COMPILE.stem, COMPILE)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script
