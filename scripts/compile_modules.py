"""Compile with mypyc what arena/compiling.py lists.  Where it or a C compiler is missing, the sources are interpreted.

    python scripts/compile_modules.py [--required]

What is made of a package goes to arena/<package>/compiled/<hash of the sources>, where only these very sources find
it, and what was made of others is removed.  Quick when there is nothing to do.
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
    arguments.add_argument("--build", nargs=2, metavar=("PACKAGE", "INTO"), help=argparse.SUPPRESS)
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
    return [_compiled(checkout, package) for package in compiling_of(checkout).MODULES]


def _compiled(checkout: Path, package: str) -> Path:
    """The folder with the compiled modules of one package."""
    target = Path(compiling_of(checkout).folder_for(str(checkout / SOURCES / package)))
    if any(target.glob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}")):
        return target
    _check_tools()
    target.parent.mkdir(exist_ok=True)
    _say(f"compiling arena.{package}, once for each change of its sources")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".building-") as building:
        script = checkout / "scripts" / Path(__file__).name
        command = [sys.executable, "-B", str(script), "--build", package, building]
        done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
        made = Path(building) / "library" / SOURCES / package
        if done.returncode or not made.is_dir():
            raise CannotCompile("\n".join((done.stdout + done.stderr).strip().splitlines()[-8:]))
        _replace(made, target)
    return target


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


def _build(package: str, folder: Path) -> None:
    """Run mypyc and the C compiler; the working directory is the checkout."""
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    modules = [str(SOURCES / package / f"{name}.py") for name in compiling_of(CHECKOUT).MODULES[package]]
    options = ["--config-file=", f"--cache-dir={os.devnull}", "--follow-imports=silent"]
    extensions = mypycify(
        [*options, *modules], target_dir=str(folder / "c"), group_name=f"arena.{package}.together", opt_level="2"
    )
    for extension in extensions:
        extension.extra_compile_args += C_FLAGS
    command = build_ext(Distribution({"name": f"arena-{package}", "ext_modules": extensions, "packages": []}))
    command.build_lib, command.build_temp = str(folder / "library"), str(folder / "objects")
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()


def _replace(made: Path, target: Path) -> None:
    """Put the folder in its place in one step, and remove those of other sources."""
    if target.is_dir():                     # made for another Python: both stay
        for library in made.iterdir():
            library.replace(target / library.name)
    else:
        made.rename(target)
    for other in target.parent.iterdir():
        if other != target and not other.name.startswith("."):
            shutil.rmtree(other, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
