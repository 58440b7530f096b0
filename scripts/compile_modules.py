"""Compile with mypyc what arena/compiling.py lists.  Where it or a C compiler is missing, the sources are interpreted.

    python scripts/compile_modules.py [--required]

What is made goes to arena/<package>/compiled/<hash of the sources>, where only these very sources find it, and what
was made of others is removed.  Quick when there is nothing to do.
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType

CHECKOUT = Path(__file__).resolve().parents[1]
SOURCES = Path("arena")
# Nothing but the modules' own entry points is seen from outside; so calls between them need no detour.
C_FLAGS = ["-fvisibility=hidden", "-g0"]


class CannotCompile(Exception):
    """Why this machine cannot compile; everything runs interpreted."""


def main() -> int:
    """Compile, unless it has been done; says what it does on stderr."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--required", action="store_true", help="fail where it cannot be done")
    arguments.add_argument("--build", nargs=2, metavar=("LIBRARY", "INTO"), help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.build:
        _build(given.build[0], Path(given.build[1]))
        return 0
    try:
        compile_modules(CHECKOUT)
    except CannotCompile as reason:
        _say(f"games and matches will run interpreted, the games some ten times slower: {reason}")
        return 1 if given.required else 0
    return 0


def compile_modules(checkout: Path) -> list[Path]:
    """The folders with the compiled modules, made where they are not there.  Raises: CannotCompile."""
    try:
        return [folder for library in compiling_of(checkout).LIBRARIES for folder in _compiled(checkout, library)]
    except OSError as error:                # a read-only checkout, a full disk
        raise CannotCompile(str(error)) from error


def _compiled(checkout: Path, library: str) -> list[Path]:
    """The folders with the compiled modules of one library, one for each package."""
    packages = [checkout / SOURCES / package for package in compiling_of(checkout).LIBRARIES[library]]
    targets = _targets(checkout, packages)
    if all(any(target.glob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}")) for target in targets):
        return targets
    _check_tools()
    names = " and ".join(f"arena.{package.name}" for package in packages)
    _say(f"compiling {names}, once for each change of the sources")
    for target in targets:
        target.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=targets[0].parent, prefix=".building-") as building:
        script = checkout / "scripts" / Path(__file__).name
        command = [sys.executable, "-B", str(script), "--build", library, building]
        done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
        made = [Path(building) / "library" / package.relative_to(checkout) for package in packages]
        if done.returncode or not all(folder.is_dir() for folder in made):
            raise CannotCompile("\n".join((done.stdout + done.stderr).strip().splitlines()[-8:]))
        if _targets(checkout, packages) != targets:
            raise CannotCompile("the sources changed while they were compiled; do it again")
        _put_in_place(made, targets)
    return targets


def _targets(checkout: Path, packages: list[Path]) -> list[Path]:
    """Where what is made of the sources as they are now belongs."""
    compiling = compiling_of(checkout)
    return [Path(compiling.folder_for(str(package))) for package in packages]


def compiling_of(checkout: Path) -> ModuleType:
    """The module that knows what is compiled, and where to, without the package around it."""
    spec = importlib.util.spec_from_file_location("compiling", checkout / SOURCES / "compiling.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _say(text: str) -> None:
    print(f"set-up: {text}", file=sys.stderr, flush=True)


def _check_tools() -> None:
    """Raises: CannotCompile, naming what is missing."""
    for package in ("mypyc", "setuptools", "librt"):
        if importlib.util.find_spec(package) is None:
            raise CannotCompile(f"the Python package {package} is not installed")
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if not shutil.which(compiler.split()[0]):
        raise CannotCompile(f"there is no C compiler ({compiler.split()[0]})")
    header = Path(sysconfig.get_path("include"), "Python.h")
    if not header.is_file():
        raise CannotCompile(f"Python's headers are not installed ({header})")


def _build(library: str, folder: Path) -> None:
    """Run mypyc and the C compiler; the working directory is the checkout."""
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    packages = compiling_of(CHECKOUT).LIBRARIES[library]
    modules = [str(SOURCES / package / f"{name}.py") for package, names in packages.items() for name in names]
    group = f"arena.{next(iter(packages))}.together"        # the library itself; it lies in the first package
    options = ["--config-file=", f"--cache-dir={os.devnull}", "--follow-imports=silent"]
    extensions = mypycify(
        [*options, *modules], target_dir=str(folder / "c"), group_name=group, opt_level="2"
    )
    for extension in extensions:
        extension.extra_compile_args += C_FLAGS
    command = build_ext(Distribution({"name": f"arena-{library}", "ext_modules": extensions, "packages": []}))
    command.build_lib, command.build_temp = str(folder / "library"), str(folder / "objects")
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()


def _put_in_place(made: list[Path], targets: list[Path]) -> None:
    """Put each folder in its place in one step, and remove those of other sources.

    The first has what the others load; so it comes first and goes last.
    """
    for folder, target in zip(made, targets, strict=True):
        try:
            folder.rename(target)
        except OSError:                     # one is there, made for another Python or just now by another: both stay
            for library in folder.iterdir():
                library.replace(target / library.name)
    for target in reversed(targets):
        for other in target.parent.iterdir():
            if other != target and not other.name.startswith("."):
                shutil.rmtree(other, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
